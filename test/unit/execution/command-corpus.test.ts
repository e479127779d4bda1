import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { classifyCommand } from '../../../src-main/execution/shell/classify'

const corpus = readFileSync(join(import.meta.dirname, '../../fixtures/commands.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ worst: line.slice(0, 1), command: line.slice(2) }))
const of = (worst: string) => corpus.filter((entry) => entry.worst === worst)
const riskOf = ({ command }: { command: string }) => classifyCommand(command).risk

describe('the corpus of free commands', () => {
  it('has at least 400 of them', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(400)
  })

  it('B1 B3 B5 B7 B8: none that changes something is taken as read-only', () => {
    expect([...of('m'), ...of('d')].filter((entry) => riskOf(entry) === 'read_only')).toEqual([])
  })

  it('B3 B5: what cannot be undone is destructive, however it is wrapped or written', () => {
    expect(of('d').filter((entry) => riskOf(entry) !== 'destructive')).toEqual([])
  })

  it('most of what only reads runs without asking', () => {
    const asked = of('r').filter((entry) => riskOf(entry) !== 'read_only')
    console.log(`asked without need: ${asked.length} of ${of('r').length} reading commands`)
    expect(asked.length / of('r').length).toBeLessThan(0.15)
  })
})
