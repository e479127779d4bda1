import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { createSkills } from '../../../src-main/skills/skills'
import { tempFolder } from '../../support/temp'

const shipped = join(import.meta.dirname, '../../../skills')
const valid = (name: string, body = 'Do this.') => `---\nname: ${name}\ndescription: Test.\n---\n${body}\n`

function ownSkill(name: string, text: string): string {
  const own = tempFolder()
  mkdirSync(join(own, name))
  writeFileSync(join(own, name, 'SKILL.md'), text)
  return own
}

describe('skills', () => {
  it('the shipped ones can all be loaded', () => {
    const skills = createSkills(shipped, tempFolder(), silentLogger)
    expect(skills.list().map((skill) => skill.name)).toEqual([
      'debug-service',
      'deploy-lxc',
      'network-check',
      'session-review',
      'upgrade-fleet'
    ])
  })

  it("the operator's own skill stands in for a shipped one of the same name", () => {
    const skills = createSkills(
      shipped,
      ownSkill('deploy-lxc', valid('deploy-lxc', 'Our way.')),
      silentLogger
    )
    expect(skills.load('deploy-lxc')).toMatchObject({
      ok: true,
      value: { origin: 'operator', body: 'Our way.' }
    })
  })

  it('B50: refuses a file that is too large', () => {
    const skills = createSkills(shipped, ownSkill('big', valid('big', 'x'.repeat(300_000))), silentLogger)
    expect(skills.load('big')).toMatchObject({ ok: false, error: { code: 'skill_invalid' } })
  })

  it('B50: refuses a link to somewhere else', () => {
    const own = tempFolder()
    mkdirSync(join(own, 'shadow'))
    symlinkSync('/etc/passwd', join(own, 'shadow', 'SKILL.md'))
    expect(createSkills(shipped, own, silentLogger).load('shadow')).toMatchObject({
      ok: false,
      error: { code: 'skill_invalid' }
    })
  })

  it.each(['../deploy-lxc', '..', '/etc', 'a/b', ''])('B50: refuses the name %j', (name) => {
    expect(createSkills(shipped, tempFolder(), silentLogger).load(name).ok).toBe(false)
  })

  it('B50: refuses front matter that unfolds into a large structure', () => {
    const bomb = `---\na: &a [x,x]\nb: &b [*a,*a]\nname: bomb\ndescription: [*b,*b]\n---\n`
    expect(createSkills(shipped, ownSkill('bomb', bomb), silentLogger).load('bomb').ok).toBe(false)
  })
})
