/** Text as it is compared: without accents, in small letters, so that "Été" stands with "ete". */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The words of a search: letters and digits of any script; everything else only separates them. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A text search query that wants every word, each as the beginning of one; undefined when there is no word. */
export const prefixQuery = (search: string): string | undefined => {
  const words = wordsOf(search).slice(0, 16)
  return words.length === 0 ? undefined : words.map((word) => `${word}:*`).join(' & ')
}
