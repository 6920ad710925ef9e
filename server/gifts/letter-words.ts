import type { LanguageCode } from '../base/language.ts';

/**
 * The e-mail of a gift. Its subject begins with the shop: the giver's name alone could pass for
 * another sender's. `{shop}`, `{giver}`, `{name}` and `{title}` are put in, for several titles
 * `{count}`; their names are on lines below `several`, and then the giver's own message. `nobody`
 * is a giver without a name.
 */
type Words = {
  nobody: string;
  subject: string;
  hello: string;
  greeting: string;
  several: string;
  link: string;
  keep: string;
  keepAll: string;
  why: string;
};

export const giftWords: Record<LanguageCode, Words> = {
  en: {
    nobody: 'A friend',
    subject: '{shop}: {giver} has sent you a gift',
    hello: 'Hello {name},',
    greeting: '{giver} is giving you “{title}” from {shop}.',
    several: '{giver} is giving you {count} titles from {shop}:',
    link: 'Open your gift',
    keep: 'The link is for you alone and works once. To keep the title, sign in or make a free account.',
    keepAll: 'The link is for you alone, opens all of them, and works once. To keep the titles, sign in or make a free account.',
    why: 'You got this email because {giver} entered your address at {shop}. We won’t write to you for anything else.',
  },
  zh: {
    nobody: '您的朋友',
    subject: '{shop}：{giver}送给您一份礼物',
    hello: '{name}，您好！',
    greeting: '{giver}在{shop}送给您《{title}》。',
    several: '{giver}在{shop}送给您{count}件作品：',
    link: '打开礼物',
    keep: '此链接仅供您本人使用，且只能使用一次。请登录或免费注册账号，以保存这件作品。',
    keepAll: '此链接仅供您本人使用，可打开全部作品，且只能使用一次。请登录或免费注册账号，以保存这些作品。',
    why: '您收到此邮件，是因为{giver}在{shop}填写了您的邮箱。我们不会向您发送其他邮件。',
  },
  es: {
    nobody: 'Alguien que te aprecia',
    subject: '{shop}: {giver} te ha enviado un regalo',
    hello: 'Hola, {name}:',
    greeting: '{giver} te regala «{title}», de {shop}.',
    several: '{giver} te regala {count} títulos de {shop}:',
    link: 'Abrir tu regalo',
    keep: 'El enlace es solo para ti y funciona una vez. Para quedarte con el título, inicia sesión o crea una cuenta gratuita.',
    keepAll:
      'El enlace es solo para ti, abre todos los títulos y funciona una vez. Para quedártelos, inicia sesión o crea una cuenta gratuita.',
    why: 'Recibes este correo porque {giver} ha indicado tu dirección en {shop}. No te escribiremos para nada más.',
  },
  fr: {
    nobody: 'Quelqu’un qui pense à vous',
    subject: '{shop}\u202F: {giver} vous offre un cadeau',
    hello: 'Bonjour {name},',
    greeting: '{giver} vous offre « {title} », de {shop}.',
    several: '{giver} vous offre {count} titres de {shop}\u202F:',
    link: 'Ouvrir votre cadeau',
    keep: 'Ce lien vous est réservé et ne sert qu’une fois. Pour garder le titre, connectez-vous ou créez un compte gratuit.',
    keepAll:
      'Ce lien vous est réservé, ouvre tous ces titres et ne sert qu’une fois. Pour les garder, connectez-vous ou créez un compte gratuit.',
    why: 'Vous recevez cet e-mail parce que {giver} a indiqué votre adresse chez {shop}. Nous ne vous écrirons pour rien d’autre.',
  },
  it: {
    nobody: 'Una persona cara',
    subject: '{shop}: {giver} ti ha inviato un regalo',
    hello: 'Ciao {name},',
    greeting: '{giver} ti regala «{title}», da {shop}.',
    several: '{giver} ti regala {count} titoli da {shop}:',
    link: 'Apri il regalo',
    keep: 'Il link è solo per te e funziona una volta sola. Per tenere il titolo, accedi o crea un account gratuito.',
    keepAll:
      'Il link è solo per te, apre tutti i titoli e funziona una volta sola. Per tenerli, accedi o crea un account gratuito.',
    why: 'Ricevi questa e-mail perché {giver} ha indicato il tuo indirizzo su {shop}. Non ti scriveremo per altro.',
  },
};
