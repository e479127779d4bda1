import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src-main/base/clock'
import { Audit } from '../../../src-main/store/audit'
import { testStore } from '../../support/store'

function trail() {
  const { db } = testStore()
  const audit = new Audit(db, systemClock)
  for (const n of [1, 2, 3])
    audit.append('execution.requested', `id-${n}`, n === 2 ? 'chat' : null, { n, text: 'a "b", c' })
  const tamper = (sql: string) => {
    db.exec('DROP TRIGGER audit_is_append_only_u; DROP TRIGGER audit_is_append_only_d')
    db.exec(sql)
  }
  return { db, audit, tamper }
}

describe('the audit trail', () => {
  it('is whole as long as nobody touches it', () => {
    expect(trail().audit.verify()).toEqual({ ok: true, entries: 3, brokenAt: null })
  })

  it('refuses to be changed or shortened', () => {
    const { db } = trail()
    expect(() => db.exec("UPDATE audit SET kind = 'x'")).toThrow('append-only')
    expect(() => db.exec('DELETE FROM audit')).toThrow('append-only')
  })

  it.each([
    ["UPDATE audit SET data = '{}' WHERE seq = 2", 2],
    ["UPDATE audit SET route = 'ops' WHERE seq = 2", 2],
    ['UPDATE audit SET at = at + 1 WHERE seq = 1', 1],
    ['DELETE FROM audit WHERE seq = 2', 3],
    ['DELETE FROM audit WHERE seq = 3', 3],
    ['DELETE FROM audit', 1]
  ])('shows where it was broken by %s', (sql, brokenAt) => {
    const { audit, tamper } = trail()
    tamper(sql)
    expect(audit.verify()).toMatchObject({ ok: false, brokenAt })
  })

  it('lists the newest first and pages on', () => {
    const { audit } = trail()
    expect(audit.list({ limit: 2 }).map((entry) => entry.seq)).toEqual([3, 2])
    expect(audit.list({ before: 2 }).map((entry) => entry.seq)).toEqual([1])
  })

  it('is filtered by what its entries are about and by words in them', () => {
    const { audit } = trail()
    audit.append('approval.denied', 'approval-1', 'ops', {
      title: 'Start container db_1 (201)',
      reason: 'no'
    })
    audit.append('host_key.trusted', 'strong', null, { fingerprint: 'SHA256:x' })
    const found = (filter: Parameters<typeof audit.list>[0]) => audit.list(filter).map((entry) => entry.seq)
    expect(found({ about: 'decisions' })).toEqual([4])
    expect(found({ about: 'executions' })).toEqual([3, 2, 1])
    expect(found({ about: 'hosts', query: 'STRONG' })).toEqual([5])
    expect(found({ query: 'db_1' })).toEqual([4])
    expect(found({ query: 'dbx1' })).toEqual([])
  })

  it('is exported as JSON and as CSV that a spreadsheet does not run', () => {
    const { audit } = trail()
    audit.append('note', '=cmd()', null, {})
    const json = JSON.parse(audit.export('json')) as { hash: string; previous: string }[]
    expect(json).toHaveLength(4)
    expect(json[1]?.previous).toBe(json[0]?.hash)
    const lines = audit.export('csv').split('\r\n')
    expect(lines[0]).toBe('seq,at,kind,subject,route,data,prev_hash,hash')
    expect(lines[1]).toContain('"{""n"":1,""text"":""a \\""b\\"", c""}"')
    expect(lines[4]).toContain(",'=cmd(),")
  })
})
