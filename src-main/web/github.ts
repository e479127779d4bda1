/** Raw README addresses of a GitHub repository's front page, best first; none for any other address. */
export function readmesOf(address: string): readonly string[] {
  const match = /^https:\/\/(?:www\.)?github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?(?:[?#].*)?$/.exec(
    address
  )
  if (!match) return []
  const base = `https://raw.githubusercontent.com/${match[1]}/${match[2]}/HEAD`
  return [`${base}/README.md`, `${base}/readme.md`, `${base}/README`]
}
