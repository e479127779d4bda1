import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src-main/base/clock'
import { newId } from '../../../src-main/base/ids'
import { openStore, type Store } from '../../../src-main/store/store'
import { migrationsFolder } from '../../support/store'
import { seeded, vocabulary, zipf } from './words'

const words = zipf(vocabulary(2_000), seeded(3))
const sentence = (length: number): string => Array.from({ length }, words).join(' ') + '.'

/** What an answer of the agent looks like: words, a list, now and then a table or a log. */
function answer(index: number): string {
  const parts = [sentence(30), `- ${sentence(8)}\n- \`pct config ${100 + (index % 50)}\` ${sentence(6)}`]
  if (index % 5 === 0)
    parts.push(
      '| guest | state | memory |\n|---|---|---|\n' + `| ${words()} | running | 512 MiB |\n`.repeat(4)
    )
  if (index % 7 === 0)
    parts.push('```\n' + `Dec 01 10:00:00 strong ${words()}: ${words()}\n`.repeat(8) + '```')
  return parts.join('\n\n')
}

/** Writes rows into a new home's database, as the app has them. */
export function writeHome(
  home: string,
  config: Readonly<Record<string, unknown>>,
  write: (store: Store) => void
): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'nomos.config.json'), JSON.stringify(config))
  const opened = openStore(home, migrationsFolder, systemClock)
  if (!opened.ok) throw new Error(opened.error.message)
  write(opened.value)
  opened.value.close()
}

/** A session of questions and answers in turn, one tool call in each answer. Gives its id. */
export function writeSession({ db }: Store, title: string, messages: number): string {
  const session = newId()
  const message = db.prepare(
    `INSERT INTO messages (id, session_id, seq, role, kind, state, created_at) VALUES (?, ?, ?, ?, 'turn', 'streaming', ?)`
  )
  const finish = db.prepare(`UPDATE messages SET state = 'done', finished_at = created_at + 900 WHERE id = ?`)
  const part = db.prepare(
    'INSERT INTO message_parts (message_id, idx, step, type, text, ref) VALUES (?, ?, ?, ?, ?, ?)'
  )
  const call = db.prepare(
    `INSERT INTO tool_calls (id, message_id, session_id, step, name, args, sentence, object, state, text, structured, started_at, ended_at)
     VALUES (?, ?, ?, 0, 'get_lxc_state', '{"target":"lxc:caddy"}', ?, ?, 'done', ?, '{}', ?, ?)`
  )
  db.transaction(() => {
    const begun = Date.now() - messages * 60_000
    db.prepare('INSERT INTO sessions (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)').run(
      session,
      title,
      begun,
      Date.now()
    )
    for (let index = 0; index < messages; index++) {
      const id = newId()
      const at = begun + index * 60_000
      const asks = index % 2 === 0
      message.run(id, session, index + 1, asks ? 'user' : 'assistant', at)
      if (asks) part.run(id, 0, 0, 'text', sentence(12), null)
      else {
        const called = newId()
        part.run(id, 0, 0, 'tool_call', '', called)
        part.run(id, 1, 1, 'text', answer(index), null)
        call.run(called, id, session, 'Reading the state of caddy', 'caddy', sentence(60), at, at + 300)
      }
      finish.run(id)
    }
  })()
  return session
}

/** Executions that have ended, one in ten of them badly. */
export function writeExecutions({ db }: Store, count: number): void {
  const insert = db.prepare(
    `INSERT INTO executions (id, origin, action, target, host, cluster, vmid, guest_name, title, params, facts, risk,
       commands, why, undo, hash, state, step, requested_at, approved_at, started_at, ended_at, exit_code, error,
       verification, output_bytes, cleaned_at)
     VALUES (@id, 'agent', 'pct_exec', @target, 'strong', 'lab', @vmid, @name, @title, @params, '{}', 'service_action',
       @commands, @why, 'Nothing to undo.', @hash, @state, 'run', @at, @at, @at, @at + 4000, @code, @error,
       @verification, 2048, @at + 5000)`
  )
  db.transaction(() => {
    const begun = Date.now() - count * 600_000
    for (let index = 0; index < count; index++) {
      const failed = index % 10 === 0
      const name = `${words()}-${index % 40}`
      const argv = ['pct', 'exec', String(100 + (index % 40)), '--', 'systemctl', 'restart', 'caddy']
      insert.run({
        id: newId(),
        target: `lxc:${name}`,
        vmid: 100 + (index % 40),
        name,
        title: `Run "systemctl restart caddy" in container ${name}`,
        params: JSON.stringify({ command: argv.slice(4) }),
        commands: JSON.stringify([{ step: 'run', argv, text: argv.join(' ') }]),
        why: sentence(12),
        hash: newId(),
        state: failed ? 'failed' : 'succeeded',
        at: begun + index * 600_000,
        code: failed ? 1 : 0,
        error: failed ? JSON.stringify({ code: 'command_failed', message: sentence(10) }) : null,
        verification: failed ? null : JSON.stringify({ ok: true, summary: sentence(8) })
      })
    }
  })()
}
