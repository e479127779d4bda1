import { typetypeReadme } from './readme'

export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

const repository = 'Priveetee/TypeType'

const html = (title: string, body: string): Page => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body: `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n</head>\n<body>\n${body}\n</body>\n</html>\n`
})

const json = (value: unknown): Page => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value)
})

const notFound: Page = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: 'Not found: the lab has no such page.\n'
}

/** The page behind a path such as `/github.com/Priveetee/TypeType`. */
export function pageAt(path: string): Page {
  const [, host = '', ...rest] = path.split('/')
  const inside = rest.join('/').replace(/\/+$/, '')
  if (host === 'raw.githubusercontent.com' && /README\.md$/i.test(inside)) return readme()
  if (host === 'api.github.com') return api(inside)
  if (host !== 'github.com') return notFound
  if (inside.toLowerCase() === repository.toLowerCase()) return front()
  if (/\/(blob|raw)\/[^/]+\/README\.md$/i.test(inside)) return inside.includes('/raw/') ? readme() : front()
  if (/\/releases(\/latest)?$/.test(inside)) {
    return html(
      `Releases · ${repository}`,
      '<main><h1>Releases</h1><h2>v1.4.2 (latest)</h2><p>Asset: typetype.tar.gz (4.1 MB)</p></main>'
    )
  }
  return notFound
}

const readme = (): Page => ({ status: 200, type: 'text/plain; charset=utf-8', body: typetypeReadme })

function api(path: string): Page {
  if (/\/readme$/i.test(path))
    return json({
      name: 'README.md',
      encoding: 'base64',
      content: Buffer.from(typetypeReadme).toString('base64')
    })
  if (/\/releases\/latest$/i.test(path))
    return json({ tag_name: 'v1.4.2', assets: [{ name: 'typetype.tar.gz', size: 4_301_221 }] })
  if (/^repos\/[^/]+\/[^/]+$/i.test(path))
    return json({
      full_name: repository,
      description: 'A self-hosted front end for video',
      license: { spdx_id: 'AGPL-3.0' },
      default_branch: 'main'
    })
  return notFound
}

/** The repository's front page: its README as HTML, with what such a page has around it. */
const front = (): Page =>
  html(
    `GitHub - ${repository}: A self-hosted front end for video`,
    `<header><nav><a href="/features">Product</a> <a href="/login">Sign in</a></nav></header>
<script>window.dataLayer = []</script>
<main>
<p>Priveetee / TypeType · Public · 1.2k stars · 64 forks</p>
<article>${rendered(typetypeReadme)}</article>
</main>
<footer><p>Terms · Privacy · Status</p></footer>`
  )

const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** The README's Markdown as HTML: headings, lists, code, the one table, paragraphs. */
const rendered = (markdown: string): string => blocksOf(markdown).map(renderBlock).join('\n')

/** Blocks end at an empty line, but not within fenced code. */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]]
  let inCode = false
  for (const line of markdown.trim().split('\n')) {
    if (line.startsWith('```')) inCode = !inCode
    if (line === '' && !inCode) blocks.push([])
    else blocks.at(-1)?.push(line)
  }
  return blocks.map((lines) => lines.join('\n'))
}

function renderBlock(block: string): string {
  const heading = /^(#+) (.*)$/.exec(block)
  if (heading) return `<h${heading[1]?.length ?? 1}>${inline(heading[2] ?? '')}</h${heading[1]?.length ?? 1}>`
  const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(block)
  if (code) return `<pre><code>${escapeHtml(code[1] ?? '')}</code></pre>`
  const lines = block.split('\n')
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('')}</ul>`
  if (lines.every((line) => line.startsWith('|'))) {
    const rows = lines.filter((line) => !/^[|\s-]+$/.test(line)).map((line) => line.split('|').slice(1, -1))
    return `<table>${rows.map((row, i) => `<tr>${row.map((cell) => (i === 0 ? `<th>${inline(cell.trim())}</th>` : `<td>${inline(cell.trim())}</td>`)).join('')}</tr>`).join('')}</table>`
  }
  return `<p>${inline(block)}</p>`
}
