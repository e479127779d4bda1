/**
 * Makes an object that outlives what is on the screen. A derived value ends with the effect it was made in, and
 * keeps its last value from then on: an object that is made when a page first asks for it must not belong to the page.
 */
export function outliving<T>(make: () => T): T {
  const made: T[] = []
  $effect.root(() => void made.push(make()))
  // Where nothing is drawn no effect runs, and there is nothing to outlive.
  return made[0] ?? make()
}
