import type { LanguageCode } from '../language.ts';

/**
 * The letter of a gift. `{shop}`, `{giver}`, `{name}` and `{title}` are put in; the giver's own message stands after `greeting`.
 * `nobody` is a giver without a name.
 */
type Words = { nobody: string; subject: string; hello: string; greeting: string; link: string; after: string[] };

export const giftWords: Record<LanguageCode, Words> = {
  en: {
    nobody: 'A friend',
    subject: '{giver} has sent you a gift',
    hello: 'Hello {name},',
    greeting: '{giver} is giving you “{title}” from {shop}.',
    link: 'Open your gift',
    after: [
      'The link is for you alone and works once. To keep the title, sign in or make a free account.',
      'You got this email because {giver} entered your address at {shop}. We won’t write to you for anything else.',
    ],
  },
  zh: {
    nobody: '您的朋友',
    subject: '{giver}送给您一份礼物',
    hello: '{name}，您好！',
    greeting: '{giver}在{shop}送给您《{title}》。',
    link: '打开礼物',
    after: [
      '此链接仅供您本人使用，且只能使用一次。请登录或免费注册账号，以保存这件作品。',
      '您收到此邮件，是因为{giver}在{shop}填写了您的邮箱。我们不会向您发送其他邮件。',
    ],
  },
  es: {
    nobody: 'Alguien que te aprecia',
    subject: '{giver} te ha enviado un regalo',
    hello: 'Hola, {name}:',
    greeting: '{giver} te regala «{title}», de {shop}.',
    link: 'Abrir tu regalo',
    after: [
      'El enlace es solo para ti y funciona una vez. Para quedarte con el título, inicia sesión o crea una cuenta gratuita.',
      'Recibes este correo porque {giver} ha indicado tu dirección en {shop}. No te escribiremos para nada más.',
    ],
  },
  fr: {
    nobody: 'Quelqu’un qui pense à vous',
    subject: '{giver} vous offre un cadeau',
    hello: 'Bonjour {name},',
    greeting: '{giver} vous offre « {title} », de {shop}.',
    link: 'Ouvrir votre cadeau',
    after: [
      'Ce lien vous est réservé et ne sert qu’une fois. Pour garder le titre, connectez-vous ou créez un compte gratuit.',
      'Vous recevez cet e-mail parce que {giver} a indiqué votre adresse chez {shop}. Nous ne vous écrirons pour rien d’autre.',
    ],
  },
  it: {
    nobody: 'Una persona cara',
    subject: '{giver} ti ha inviato un regalo',
    hello: 'Ciao {name},',
    greeting: '{giver} ti regala «{title}», da {shop}.',
    link: 'Apri il regalo',
    after: [
      'Il link è solo per te e funziona una volta sola. Per tenere il titolo, accedi o crea un account gratuito.',
      'Ricevi questa e-mail perché {giver} ha indicato il tuo indirizzo su {shop}. Non ti scriveremo per altro.',
    ],
  },
};
