/** English words that are also the language's own: where a translation may be the same as its source. */
export const sameWords: Readonly<Record<string, readonly string[]>> = {
  zh: ['ISBN'],
  es: ['Audio', 'ISBN', 'Sepia'],
  fr: [
    'Audio',
    'Code',
    'Date',
    'Description',
    'Film',
    'Format',
    'ISBN',
    'Menu',
    'Page',
    'Page {page} · {percent}',
    'Pages',
    'Pause',
    'Volume',
  ],
  it: ['Account', 'Audio', 'Film', 'Home', 'ISBN', 'Menu', 'Password', 'Privacy', 'Volume'],
};
