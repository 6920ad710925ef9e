import type { AboutPayments, LettersTable } from '../database/schema/people.ts';
import type { LanguageCode } from '../base/language.ts';
import { wayWords, type Words } from './way-words.ts';

/**
 * Gifts and payments have words of their own: `server/gifts/letter-words.ts`, `server/payment/receipt-letter.ts`, `refund-letter.ts`,
 * `server/subscriptions/renewal-letter.ts`.
 */
type Letters = Record<Exclude<LettersTable['kind'], AboutPayments | 'gift'>, Words>;

export const letterWords: Record<LanguageCode, Letters> = {
  en: {
    ...wayWords.en,
    'reset-password': {
      subject: 'Set a new password for {shop}',
      before: ['Somebody, probably you, asked for a new password for this email address at {shop}.'],
      link: 'Set a new password',
      after: [
        'The link works once, and for one hour.',
        'If you didn’t ask for it, you can ignore this email. Your password stays as it is.',
      ],
    },
    'password-changed': {
      subject: 'Your password for {shop} has been changed',
      before: [
        'The password of your account at {shop} has just been changed. Wherever else you were signed in, you have been signed out.',
        'If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:',
      ],
      link: 'It wasn’t me',
      after: [],
    },
    'email-changed': {
      subject: 'Your email address at {shop} has been changed',
      before: ['Your account at {shop} has just been given another email address. This one no longer signs in.'],
      link: 'Go to the shop',
      after: ['If it wasn’t you, reply to this email at once.'],
    },
    'account-deleted': {
      subject: 'Your account at {shop} has been deleted',
      before: [
        'Your account at {shop} has been deleted, with everything that we kept about you but the records of your purchases, which the law asks for.',
      ],
      link: 'Go to the shop',
      after: ['If it wasn’t you, reply to this email.'],
    },
    'provider-joined': {
      subject: 'You signed in to {shop} in another way',
      before: [
        'Somebody, probably you, has just signed in to your account at {shop} through a service that vouches for this email address.',
        'Nobody had ever confirmed the address to us. To be safe, the account’s password no longer works, and all devices have been signed out.',
      ],
      link: 'Set a new password',
      after: [
        'You need no password to sign in through that service.',
        'If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:',
      ],
      notMe: 'It wasn’t me',
    },
  },
  zh: {
    ...wayWords.zh,
    'reset-password': {
      subject: '设置您在{shop}的新密码',
      before: ['有人（可能是您本人）申请为此邮箱在{shop}的账号设置新密码。'],
      link: '设置新密码',
      after: ['此链接仅可使用一次，一小时内有效。', '如果不是您本人申请，请忽略此邮件，您的密码不会改变。'],
    },
    'password-changed': {
      subject: '您在{shop}的密码已更改',
      before: [
        '您在{shop}的账号密码刚刚已更改，其他设备均已退出登录。',
        '如果不是您本人操作，请立即设置新密码，并可同时移除您不认识的登录方式：',
      ],
      link: '不是我本人操作',
      after: [],
    },
    'email-changed': {
      subject: '您在{shop}的邮箱已更改',
      before: ['您在{shop}的账号刚刚更换了邮箱，本邮箱不能再用于登录。'],
      link: '前往商店',
      after: ['如果不是您本人操作，请立即回复此邮件。'],
    },
    'account-deleted': {
      subject: '您在{shop}的账号已删除',
      before: ['您在{shop}的账号及相关个人信息已删除。依法须保留的购买记录除外。'],
      link: '前往商店',
      after: ['如果不是您本人操作，请回复此邮件。'],
    },
    'provider-joined': {
      subject: '您以其他方式登录了{shop}',
      before: [
        '有人（可能是您本人）刚刚通过一项已验证此邮箱的服务登录了您在{shop}的账号。',
        '由于此邮箱此前从未得到确认，为安全起见，该账号的密码已失效，所有设备均已退出登录。',
      ],
      link: '设置新密码',
      after: ['通过该服务登录无需密码。', '如果不是您本人操作，请立即设置新密码，并可同时移除您不认识的登录方式：'],
      notMe: '不是我本人操作',
    },
  },
  es: {
    ...wayWords.es,
    'reset-password': {
      subject: 'Crea una nueva contraseña para {shop}',
      before: ['Alguien, probablemente tú, ha pedido una nueva contraseña para este correo en {shop}.'],
      link: 'Crear una nueva contraseña',
      after: [
        'El enlace funciona una sola vez y durante una hora.',
        'Si no la has pedido tú, puedes ignorar este correo. Tu contraseña no cambiará.',
      ],
    },
    'password-changed': {
      subject: 'Tu contraseña de {shop} ha cambiado',
      before: [
        'La contraseña de tu cuenta en {shop} acaba de cambiar. Se ha cerrado la sesión en tus demás dispositivos.',
        'Si no has sido tú, crea una nueva contraseña cuanto antes. En el mismo paso puedes quitar lo que no reconozcas:',
      ],
      link: 'No he sido yo',
      after: [],
    },
    'email-changed': {
      subject: 'Tu correo de {shop} ha cambiado',
      before: ['Tu cuenta de {shop} tiene ahora otra dirección de correo. Con esta ya no se puede iniciar sesión.'],
      link: 'Ir a la tienda',
      after: ['Si no has sido tú, responde a este correo cuanto antes.'],
    },
    'account-deleted': {
      subject: 'Tu cuenta de {shop} se ha eliminado',
      before: [
        'Tu cuenta de {shop} se ha eliminado, con todo lo que guardábamos sobre ti salvo los registros de tus compras, que exige la ley.',
      ],
      link: 'Ir a la tienda',
      after: ['Si no has sido tú, responde a este correo.'],
    },
    'provider-joined': {
      subject: 'Has iniciado sesión en {shop} de otra forma',
      before: [
        'Alguien, probablemente tú, acaba de entrar en tu cuenta de {shop} mediante un servicio que responde por este correo.',
        'Nadie nos había confirmado nunca este correo. Por seguridad, la contraseña de la cuenta ha dejado de valer y se ha cerrado la sesión en todos los dispositivos.',
      ],
      link: 'Crear una nueva contraseña',
      after: [
        'Con ese servicio no necesitas contraseña.',
        'Si no has sido tú, crea una nueva contraseña cuanto antes. En el mismo paso puedes quitar lo que no reconozcas:',
      ],
      notMe: 'No he sido yo',
    },
  },
  fr: {
    ...wayWords.fr,
    'reset-password': {
      subject: 'Choisissez un nouveau mot de passe pour {shop}',
      before: ['Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour cette adresse e-mail chez {shop}.'],
      link: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant une heure.',
        'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Votre mot de passe ne change pas.',
      ],
    },
    'password-changed': {
      subject: 'Votre mot de passe chez {shop} a été modifié',
      before: [
        'Le mot de passe de votre compte chez {shop} vient d’être modifié. Vous avez été déconnecté de vos autres appareils.',
        'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe. Vous pourrez retirer en même temps ce que vous ne reconnaissez pas :',
      ],
      link: 'Ce n’était pas moi',
      after: [],
    },
    'email-changed': {
      subject: 'Votre adresse e-mail chez {shop} a été modifiée',
      before: ['Votre compte chez {shop} vient de changer d’adresse e-mail. Celle-ci ne permet plus de se connecter.'],
      link: 'Aller à la boutique',
      after: ['Si ce n’était pas vous, répondez immédiatement à cet e-mail.'],
    },
    'account-deleted': {
      subject: 'Votre compte chez {shop} a été supprimé',
      before: [
        'Votre compte chez {shop} a été supprimé, avec tout ce que nous conservions à votre sujet, sauf les justificatifs de vos achats, exigés par la loi.',
      ],
      link: 'Aller à la boutique',
      after: ['Si ce n’était pas vous, répondez à cet e-mail.'],
    },
    'provider-joined': {
      subject: 'Vous vous êtes connecté à {shop} autrement',
      before: [
        'Quelqu’un, sans doute vous, vient de se connecter à votre compte chez {shop} par un service qui garantit cette adresse e-mail.',
        'Personne ne nous avait jamais confirmé cette adresse. Par sécurité, le mot de passe du compte n’est plus valable et tous les appareils ont été déconnectés.',
      ],
      link: 'Choisir un nouveau mot de passe',
      after: [
        'Avec ce service, vous n’avez pas besoin de mot de passe.',
        'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe. Vous pourrez retirer en même temps ce que vous ne reconnaissez pas :',
      ],
      notMe: 'Ce n’était pas moi',
    },
  },
  it: {
    ...wayWords.it,
    'reset-password': {
      subject: 'Imposta una nuova password per {shop}',
      before: ['Qualcuno, probabilmente tu, ha chiesto una nuova password per questo indirizzo email su {shop}.'],
      link: 'Imposta una nuova password',
      after: [
        'Il link funziona una sola volta, per un’ora.',
        'Se non sei stato tu, ignora questa email. La tua password resta invariata.',
      ],
    },
    'password-changed': {
      subject: 'La tua password di {shop} è stata cambiata',
      before: [
        'La password del tuo account su {shop} è appena stata cambiata. Sei stato disconnesso dagli altri dispositivi.',
        'Se non sei stato tu, imposta subito una nuova password. Nello stesso passaggio puoi rimuovere ciò che non riconosci:',
      ],
      link: 'Non sono stato io',
      after: [],
    },
    'email-changed': {
      subject: 'Il tuo indirizzo email su {shop} è stato cambiato',
      before: ['Il tuo account su {shop} ha appena cambiato indirizzo email. Con questo non si può più accedere.'],
      link: 'Vai al negozio',
      after: ['Se non sei stato tu, rispondi subito a questa email.'],
    },
    'account-deleted': {
      subject: 'Il tuo account su {shop} è stato eliminato',
      before: [
        'Il tuo account su {shop} è stato eliminato, con tutto ciò che conservavamo su di te tranne i dati dei tuoi acquisti, richiesti dalla legge.',
      ],
      link: 'Vai al negozio',
      after: ['Se non sei stato tu, rispondi a questa email.'],
    },
    'provider-joined': {
      subject: 'Hai effettuato l’accesso a {shop} in un altro modo',
      before: [
        'Qualcuno, probabilmente tu, ha appena effettuato l’accesso al tuo account su {shop} tramite un servizio che garantisce questo indirizzo email.',
        'Nessuno ci aveva mai confermato questo indirizzo. Per sicurezza, la password dell’account non vale più e tutti i dispositivi sono stati disconnessi.',
      ],
      link: 'Imposta una nuova password',
      after: [
        'Con quel servizio non ti serve una password.',
        'Se non sei stato tu, imposta subito una nuova password. Nello stesso passaggio puoi rimuovere ciò che non riconosci:',
      ],
      notMe: 'Non sono stato io',
    },
  },
};
