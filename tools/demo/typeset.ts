/** An apostrophe that begins a word: 'tis, 'em, '98. */
const shortened = /^(?:tis|twas|em|til|cause|n|\d\ds?)\b/i;

/** Typewriter quotes and apostrophes as a compositor sets them in English; French, Spanish and Italian texts bring their own marks, but for the apostrophe. */
export function typeset(text: string): string {
  return text.replace(/["']/g, (mark, at: number) => {
    const before = text[at - 1];
    const after = text[at + 1];
    const opens = (before === undefined || /[\s([{—–“‘*_"]/.test(before)) && after !== undefined && !/[\s.,;:!?)\]]/.test(after);
    if (mark === '"') return opens ? '“' : '”';
    return opens && !shortened.test(text.slice(at + 1)) ? '‘' : '’';
  });
}
