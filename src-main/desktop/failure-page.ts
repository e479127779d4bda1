import type { AppError } from '../base/result'
import type { Texts } from './text'

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => escaped[character] ?? '')

/** The page that says why Nomos cannot start: without scripts, in the colours of the app. */
export const failurePage = (
  { code, message, hint }: AppError,
  { failure, language }: Texts
) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${failure.title}</title>
<style>
  :root { color-scheme: light dark; --bg: #f6f8fa; --text: #101317; --quiet: #4b5157; --line: #dfe3e8; --tone: #b3261e }
  @media (prefers-color-scheme: dark) {
    :root { --bg: #101317; --text: #e8eaec; --quiet: #aeb4bb; --line: #2a2f36; --tone: #f28b82 }
  }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--bg); color: var(--text);
    font: 14px/22px system-ui, sans-serif }
  main { max-width: 560px; padding: 32px; border-left: 3px solid var(--tone) }
  h1 { margin: 0 0 12px; font-size: 19px; line-height: 28px; font-weight: 600 }
  p { margin: 0 0 12px; overflow-wrap: anywhere }
  footer { color: var(--quiet); font-size: 12px; border-top: 1px solid var(--line); padding-top: 12px }
</style>
</head>
<body>
<main data-testid="failure" data-code="${escape(code)}">
  <h1>${failure.title}</h1>
  <p>${escape(message)}</p>
  ${hint === undefined ? '' : `<p>${escape(hint)}</p>`}
  <footer>${escape(code)} · ${failure.close}</footer>
</main>
</body>
</html>
`
