/** “1 line”, “3 lines”: the number with the word that goes with it. */
export const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`
