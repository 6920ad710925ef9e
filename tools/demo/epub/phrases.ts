/** The generated phrases of a book, in its own language. */
export interface Phrases {
  contents: string;
  cover: string;
  titlePage: string;
  imprint: string;
  published: (publisher: string, year: string) => string;
  rights: string;
}

const english: Phrases = {
  contents: 'Contents',
  cover: 'Cover',
  titlePage: 'Title page',
  imprint: 'Imprint',
  published: (publisher, year) => `Published by ${publisher}, ${year}`,
  rights: 'Written and illustrated for the Colophon demonstration store. The people, places and presses in it are invented.',
};

const phrases: Record<string, Phrases> = {
  en: english,
  fr: {
    contents: 'Sommaire',
    cover: 'Couverture',
    titlePage: 'Page de titre',
    imprint: 'Mentions',
    published: (publisher, year) => `Publié par ${publisher}, ${year}`,
    rights:
      'Écrit et illustré pour la boutique de démonstration Colophon. Les personnes, les lieux et les maisons d’édition sont inventés.',
  },
  es: {
    contents: 'Índice',
    cover: 'Cubierta',
    titlePage: 'Portada',
    imprint: 'Créditos',
    published: (publisher, year) => `Publicado por ${publisher}, ${year}`,
    rights:
      'Escrito e ilustrado para la tienda de demostración Colophon. Las personas, los lugares y las editoriales son inventados.',
  },
  it: {
    contents: 'Indice',
    cover: 'Copertina',
    titlePage: 'Frontespizio',
    imprint: 'Colophon',
    published: (publisher, year) => `Pubblicato da ${publisher}, ${year}`,
    rights: 'Scritto e illustrato per il negozio dimostrativo Colophon. Persone, luoghi e case editrici sono inventati.',
  },
};

export const getPhrases = (language: string): Phrases => phrases[language.slice(0, 2)] ?? english;
