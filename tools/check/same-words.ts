/** Messages whose translation may be the same as the English source, by language. */
export const sameWords: Readonly<Record<string, readonly string[]>> = {
  zh: ['ISBN'],
  es: ['Audio', 'ISBN', 'Sepia'],
  fr: [
    'Audio',
    'Code',
    'Date',
    'Description',
    'Format',
    'ISBN',
    'Menu',
    'Page',
    'Page {page} · {percent}',
    'Pages',
    'Pause',
    'Volume',
  ],
  it: ['Account', 'Audio', 'Home', 'ISBN', 'Menu', 'Password', 'Privacy', 'Video', 'Volume'],
};
