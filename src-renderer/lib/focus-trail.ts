const kept = 8
/** What floats over the page goes when it is closed, so nothing can lead back into it. */
const floating = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

const trail: HTMLElement[] = []

/** Notes where the focus is on the page, for what takes it away. Gives what ends the noting. */
export function followFocus(): () => void {
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target.closest(floating) !== null) return
    const known = trail.indexOf(target)
    if (known !== -1) trail.splice(known, 1)
    trail.push(target)
    if (trail.length > kept) trail.shift()
  }
  document.addEventListener('focusin', note)
  return () => document.removeEventListener('focusin', note)
}

/** Nothing that closes may leave the focus nowhere: it goes where it was last, or to the page as a whole. */
export function keepFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const before = trail.findLast((element) => element.isConnected && element.checkVisibility())
  if (before !== undefined) return before.focus({ preventScroll: true })
  const page = document.querySelector('main')
  page?.setAttribute('tabindex', '-1')
  page?.focus({ preventScroll: true })
}
