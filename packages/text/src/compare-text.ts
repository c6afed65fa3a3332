/** Orders by code unit, alike on every machine; `localeCompare` depends on the machine's language. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
