const en = {
  wrongTurn: 'Oops! Wrong Turn',
  shopDescription: 'Find titles to read, listen to and watch at {shop}.',
  listDescription: '{list} at {shop}: find what to read, listen to or watch next.',
  titleDescription: '{title} by {authors}, at {shop}.',
  authorlessDescription: '{title}, at {shop}.',
  withoutScripts: 'You can look around as you are. Buying, reading, listening and signing in need JavaScript.',
  language: 'Language',
  categories: 'Categories',
  moreTitles: 'More titles',
};

type HeadWords = typeof en;

const zh: HeadWords = {
  wrongTurn: '哎呀！走错路了',
  shopDescription: '在{shop}发现可读、可听、可看的作品。',
  listDescription: '{shop}的{list}：发现下一部想读、想听、想看的作品。',
  titleDescription: '{authors}的《{title}》，尽在{shop}。',
  authorlessDescription: '《{title}》，尽在{shop}。',
  withoutScripts: '您可以随意浏览；购买、阅读、收听和登录需要启用 JavaScript。',
  language: '语言',
  categories: '分类',
  moreTitles: '更多作品',
};

const es: HeadWords = {
  wrongTurn: '¡Vaya! Por aquí no es',
  shopDescription: 'Descubre en {shop} títulos para leer, escuchar y ver.',
  listDescription: '{list} en {shop}: descubre qué leer, escuchar o ver ahora.',
  titleDescription: '{title}, de {authors}, en {shop}.',
  authorlessDescription: '{title}, en {shop}.',
  withoutScripts: 'Puedes mirar sin más. Para comprar, leer, escuchar e iniciar sesión hace falta JavaScript.',
  language: 'Idioma',
  categories: 'Categorías',
  moreTitles: 'Más títulos',
};

const fr: HeadWords = {
  wrongTurn: 'Oups ! Mauvais chemin',
  shopDescription: 'Trouvez chez {shop} des titres à lire, à écouter et à regarder.',
  listDescription: '{list} chez {shop} : trouvez quoi lire, écouter ou regarder ensuite.',
  titleDescription: '{title}, de {authors}, chez {shop}.',
  authorlessDescription: '{title}, chez {shop}.',
  withoutScripts: 'Vous pouvez parcourir la boutique telle quelle. Acheter, lire, écouter et se connecter demandent JavaScript.',
  language: 'Langue',
  categories: 'Catégories',
  moreTitles: 'Plus de titres',
};

const it: HeadWords = {
  wrongTurn: 'Ops! Strada sbagliata',
  shopDescription: 'Scopri da {shop} titoli da leggere, ascoltare e guardare.',
  listDescription: '{list} da {shop}: scopri cosa leggere, ascoltare o guardare adesso.',
  titleDescription: '{title} di {authors}, da {shop}.',
  authorlessDescription: '{title}, da {shop}.',
  withoutScripts: 'Puoi guardarti intorno così. Per acquistare, leggere, ascoltare e accedere serve JavaScript.',
  language: 'Lingua',
  categories: 'Categorie',
  moreTitles: 'Altri titoli',
};

/** The languages of the shop, English first; `locale` as Open Graph spells it. */
export const languages = [
  { code: 'en', locale: 'en_US', words: en },
  { code: 'zh', locale: 'zh_CN', words: zh },
  { code: 'es', locale: 'es_ES', words: es },
  { code: 'fr', locale: 'fr_FR', words: fr },
  { code: 'it', locale: 'it_IT', words: it },
] as const;

export type Language = (typeof languages)[number];

/** Puts values into the {places} of a sentence. */
export const fill = (sentence: string, values: Record<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
