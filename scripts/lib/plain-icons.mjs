/** Where an icon's file has what it draws; @lucide/svelte is pinned, and a file that looks otherwise ends the build. */
const drawing = /const iconData = (\{.+\});/

const attributes = (given) =>
  Object.entries(given)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')

/**
 * Vite plugin: makes each icon of @lucide/svelte a piece of markup that is cloned. As published, every icon on the
 * screen builds its attributes from objects and its shapes one by one, which is most of the time a row takes to draw.
 */
export const plainIcons = () => ({
  name: 'plain-icons',
  enforce: 'pre',
  transform: {
    filter: { id: /@lucide\/svelte\/dist\/icons\/[^/]+\.svelte$/ },
    handler(code, id) {
      const found = drawing.exec(code)
      if (!found) throw new Error(`${id} has no drawing where plain-icons.mjs expects it`)
      const { name, node } = JSON.parse(found[1])
      const shapes = node.map(([shape, given]) => `<${shape} ${attributes(given)}></${shape}>`).join('')
      return `<script>
  let { size = 24, strokeWidth = 2, fill = 'none', class: given = '' } = $props()
</script>

<svg xmlns="http://www.w3.org/2000/svg" class={['lucide', 'lucide-${name}', given]} width={size} height={size}
  viewBox="0 0 24 24" {fill} stroke="currentColor" stroke-width={strokeWidth} stroke-linecap="round"
  stroke-linejoin="round" aria-hidden="true">${shapes}</svg>
`
    }
  }
})
