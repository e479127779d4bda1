import { say, type Script } from './script'
import type { Scene } from './talk'

const sections = [
  'Networks',
  'Storages',
  'Backups',
  'Templates',
  'Snapshots',
  'High availability',
  'Updates',
  'Firewalls',
  'Monitoring',
  'Disasters'
] as const

/** A long answer with everything that Markdown has, for whoever looks at how it is shown. */
function longAnswer(): string {
  return sections
    .map((title, index) =>
      [
        `## ${index + 1}. ${title}`,
        '',
        `This is what the scripted model has to say about **${title.toLowerCase()}** in a homelab. It is *not* advice; it is here to be long. Every section has a paragraph, a list, a table and a piece of code, so that scrolling, wrapping and selecting can be tried.`,
        '',
        '- Look first, change after',
        `- Write down what you did about \`${title.toLowerCase()}\``,
        '  - and why',
        '- Verify; an exit code is no proof',
        '',
        '| what | how often | by whom |',
        '|---|---|---|',
        `| look at ${title.toLowerCase()} | every week | you |`,
        '| test it | every month | you, with a cup of tea |',
        '',
        '```sh',
        `# ${title}`,
        'pvesh get /cluster/resources --output-format json | head -c 400',
        'pct list',
        '```',
        '',
        '> What is not tested does not work.'
      ].join('\n')
    )
    .join('\n\n')
}

/** The checks of a model that the settings offer. */
function doctor(scene: Scene) {
  const text = scene.request
  if (/single word:\s*ready/i.test(text)) return say('ready')
  if (/count from 1 to 200/i.test(text))
    return say(Array.from({ length: 200 }, (_, i) => `number ${i + 1}`).join(', '))
  const [tool = ''] = [...scene.tools.keys()]
  if (/\btwice\b/i.test(text))
    return { calls: ['caddy', 'vaultwarden'].map((name) => ({ name: tool, args: { name } })) }
  return { calls: [{ name: tool, args: /no arguments/i.test(text) ? {} : { name: 'caddy' } }] }
}

export const talks: readonly Script[] = [
  {
    example: '',
    matches: (text) =>
      /single word:\s*ready|count from 1 to 200|call (the tool )?read_(state|all)/i.test(text),
    play: doctor
  },
  {
    example: '',
    matches: (text) => /^\(attached: /.test(text),
    play: (scene) =>
      say(
        `I see what you sent ${scene.request}. A real model would read it now; I am a script and only know the requests I was written for. Say what should happen.`
      )
  },
  {
    example: 'write a long answer',
    matches: (text) => /\blong (answer|text|reply)\b/i.test(text),
    play: () => say(longAnswer())
  },
  {
    example: 'say hello',
    matches: (text) => /^\s*(say )?(hello|hi|hey|good (morning|evening))\b/i.test(text),
    play: () =>
      say(
        'Hello! I am the scripted model of the lab: I play an operator’s usual requests on a simulated cluster of two nodes. Ask me "what is running?", or have me deploy something.'
      )
  }
]
