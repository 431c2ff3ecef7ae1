// Numbers as people type them: digits of several scripts, a comma or a point; what can be read in two ways is no number.

/** The number that a text says, or `{ problem }`. */
export function readNumber(text) {
  const plain = text.trim()
    .replace(/[٠-٩]/g, (digit) => digit.charCodeAt(0) - 0x660)
    .replace(/[۰-۹]/g, (digit) => digit.charCodeAt(0) - 0x6f0)
    .replace(/[０-９]/g, (digit) => digit.charCodeAt(0) - 0xff10)
    .replace("−", "-").replace("٫", ".");
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(plain)) {
    return { problem: `“${text.trim()}” can be read in two ways: write ${plain.replace(",", "")} or ${plain.replace(",", ".")}.` };
  }
  const number = Number(plain.replace(",", "."));
  const isNumber = /^-?(\d+([.,]\d*)?|[.,]\d+)$/.test(plain) && Number.isFinite(number);
  return isNumber ? { number } : { problem: `“${text.trim()}” is no number.` };
}
