const two = (n: number): string => String(n).padStart(2, '0')

/** `1,4`. */
export const decimal = (value: number, digits: number): string => value.toFixed(digits).replace('.', ',')

/** Bytes as `1,4 GiB`. */
export const gib = (bytes: number): string => `${decimal(bytes / 1024 ** 3, 1)} GiB`

/** `14:05`, in the operator's zone. */
export const time = (at: number): string => {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** `30.11.2026, 14:05`, in the operator's zone. */
export const moment = (at: number): string => {
  const date = new Date(at)
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}, ${time(at)}`
}
