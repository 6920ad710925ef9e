import type { LanguageCode } from '../base/language.ts';

/** The message with a code; `{shop}` is the store's name. A shared code works for an hour. */
export const codeWords: Record<'own' | 'shared', Record<LanguageCode, string>> = {
  own: {
    en: '{code} is your code for {shop}. It works for ten minutes. Don’t share it with anyone.',
    zh: '您在{shop}的验证码是{code}，十分钟内有效。请勿告诉任何人。',
    es: '{code} es tu código para {shop}. Funciona durante diez minutos. No lo compartas con nadie.',
    fr: '{code} est votre code pour {shop}. Il fonctionne pendant dix minutes. Ne le communiquez à personne.',
    it: '{code} è il tuo codice per {shop}. Funziona per dieci minuti. Non comunicarlo a nessuno.',
  },
  shared: {
    en: '{code} is your code for {shop}. It works for an hour. Don’t share it with anyone.',
    zh: '您在{shop}的验证码是{code}，一小时内有效。请勿告诉任何人。',
    es: '{code} es tu código para {shop}. Funciona durante una hora. No lo compartas con nadie.',
    fr: '{code} est votre code pour {shop}. Il fonctionne pendant une heure. Ne le communiquez à personne.',
    it: '{code} è il tuo codice per {shop}. Funziona per un’ora. Non comunicarlo a nessuno.',
  },
};
