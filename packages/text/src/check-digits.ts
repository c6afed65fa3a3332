/** Whether the check digits of an IBAN are right (ISO 13616, mod 97). */
export function isIban(text: string): boolean {
  const compact = text.replaceAll(/[^A-Z0-9]/g, '')
  if (compact.length < 15 || compact.length > 34) return false
  let remainder = 0
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}

/** Whether a number has the length and the check digit of a payment card (ISO 7812, Luhn). */
export function isPaymentNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (digits.length < 13 || digits.length > 19) return false
  // Thirteen digits that begin with 1 are a time in milliseconds; a run of one digit is a placeholder.
  if (/^1\d{12}$|^(\d)\1*$/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = digit * 2
    if (place % 2 === 0) sum += digit
    else sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
