import type { LettersTable } from '../database/schema/people.ts';
import type { LanguageCode } from '../base/language.ts';

/**
 * An e-mail: its subject, its paragraphs, its link's label, and the label of the link at its end
 * that leads a customer who did not do it to a new password. `{shop}` is the store's name.
 */
export type Words = { subject: string; before: string[]; link?: string; after: string[]; notMe?: string };

type Kind = Extract<LettersTable['kind'], 'provider-added' | 'provider-removed' | 'passkey-added' | 'passkey-removed'>;

/** The letters that tell of a way to sign in. */
export const wayWords: Record<LanguageCode, Record<Kind, Words>> = {
  en: {
    'provider-added': {
      subject: 'You can now sign in to {shop} in another way',
      before: ['Another way to sign in has just been connected to your account at {shop}.'],
      link: 'Look at your account',
      after: ['If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:'],
      notMe: 'It wasn’t me',
    },
    'provider-removed': {
      subject: 'A way to sign in to {shop} has been removed',
      before: ['A way to sign in has just been removed from your account at {shop}. It no longer opens the account.'],
      link: 'Look at your account',
      after: ['If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:'],
      notMe: 'It wasn’t me',
    },
    'passkey-added': {
      subject: 'You can now sign in to {shop} with a new passkey',
      before: [
        'A passkey has just been added to your account at {shop}. Whoever has the device that it is on can sign in with it.',
      ],
      link: 'Look at your passkeys',
      after: ['If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:'],
      notMe: 'It wasn’t me',
    },
    'passkey-removed': {
      subject: 'A passkey for {shop} has been deleted',
      before: ['A passkey of your account at {shop} has just been deleted. It no longer signs in.'],
      link: 'Look at your passkeys',
      after: ['If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:'],
      notMe: 'It wasn’t me',
    },
  },
  zh: {
    'provider-added': {
      subject: '您在{shop}有了新的登录方式',
      before: ['您在{shop}的账号刚刚关联了一种新的登录方式。'],
      link: '查看您的账号',
      after: ['如果不是您本人操作，请立即设置新密码，并可同时移除您不认识的登录方式：'],
      notMe: '不是我本人操作',
    },
    'provider-removed': {
      subject: '您在{shop}的一种登录方式已移除',
      before: ['您在{shop}的账号刚刚移除了一种登录方式，它不能再用于登录。'],
      link: '查看您的账号',
      after: ['如果不是您本人操作，请立即设置新密码，并可同时移除您不认识的登录方式：'],
      notMe: '不是我本人操作',
    },
    'passkey-added': {
      subject: '您可以使用新的通行密钥登录{shop}',
      before: ['您在{shop}的账号刚刚添加了一个通行密钥。持有该设备的人可以用它登录。'],
      link: '查看您的通行密钥',
      after: ['如果不是您本人操作，请立即设置新密码，并可同时移除您不认识的登录方式：'],
      notMe: '不是我本人操作',
    },
    'passkey-removed': {
      subject: '您在{shop}的一个通行密钥已删除',
      before: ['您在{shop}的账号刚刚删除了一个通行密钥，它不能再用于登录。'],
      link: '查看您的通行密钥',
      after: ['如果不是您本人操作，请立即设置新密码，并可同时移除您不认识的登录方式：'],
      notMe: '不是我本人操作',
    },
  },
  es: {
    'provider-added': {
      subject: 'Ya puedes iniciar sesión en {shop} de otra manera',
      before: ['Se acaba de conectar otra forma de iniciar sesión a tu cuenta de {shop}.'],
      link: 'Ver tu cuenta',
      after: ['Si no has sido tú, crea una nueva contraseña cuanto antes. En el mismo paso puedes quitar lo que no reconozcas:'],
      notMe: 'No he sido yo',
    },
    'provider-removed': {
      subject: 'Se ha quitado una forma de iniciar sesión en {shop}',
      before: ['Se acaba de quitar una forma de iniciar sesión de tu cuenta de {shop}. Con ella ya no se puede entrar.'],
      link: 'Ver tu cuenta',
      after: ['Si no has sido tú, crea una nueva contraseña cuanto antes. En el mismo paso puedes quitar lo que no reconozcas:'],
      notMe: 'No he sido yo',
    },
    'passkey-added': {
      subject: 'Ya puedes entrar en {shop} con una nueva llave de acceso',
      before: [
        'Se acaba de añadir una llave de acceso a tu cuenta de {shop}. Quien tenga el dispositivo en el que está puede iniciar sesión con ella.',
      ],
      link: 'Ver tus llaves de acceso',
      after: ['Si no has sido tú, crea una nueva contraseña cuanto antes. En el mismo paso puedes quitar lo que no reconozcas:'],
      notMe: 'No he sido yo',
    },
    'passkey-removed': {
      subject: 'Se ha eliminado una llave de acceso de {shop}',
      before: ['Se acaba de eliminar una llave de acceso de tu cuenta de {shop}. Con ella ya no se puede iniciar sesión.'],
      link: 'Ver tus llaves de acceso',
      after: ['Si no has sido tú, crea una nueva contraseña cuanto antes. En el mismo paso puedes quitar lo que no reconozcas:'],
      notMe: 'No he sido yo',
    },
  },
  fr: {
    'provider-added': {
      subject: 'Vous pouvez maintenant vous connecter autrement à {shop}',
      before: ['Un autre moyen de connexion vient d’être associé à votre compte chez {shop}.'],
      link: 'Voir votre compte',
      after: [
        'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe. Vous pourrez retirer en même temps ce que vous ne reconnaissez pas :',
      ],
      notMe: 'Ce n’était pas moi',
    },
    'provider-removed': {
      subject: 'Un moyen de connexion à {shop} a été retiré',
      before: ['Un moyen de connexion vient d’être retiré de votre compte chez {shop}. Il ne permet plus de se connecter.'],
      link: 'Voir votre compte',
      after: [
        'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe. Vous pourrez retirer en même temps ce que vous ne reconnaissez pas :',
      ],
      notMe: 'Ce n’était pas moi',
    },
    'passkey-added': {
      subject: 'Vous pouvez vous connecter à {shop} avec une nouvelle clé d’accès',
      before: [
        'Une clé d’accès vient d’être ajoutée à votre compte chez {shop}. Quiconque dispose de l’appareil où elle se trouve peut se connecter avec elle.',
      ],
      link: 'Voir vos clés d’accès',
      after: [
        'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe. Vous pourrez retirer en même temps ce que vous ne reconnaissez pas :',
      ],
      notMe: 'Ce n’était pas moi',
    },
    'passkey-removed': {
      subject: 'Une clé d’accès pour {shop} a été supprimée',
      before: ['Une clé d’accès de votre compte chez {shop} vient d’être supprimée. Elle ne permet plus de se connecter.'],
      link: 'Voir vos clés d’accès',
      after: [
        'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe. Vous pourrez retirer en même temps ce que vous ne reconnaissez pas :',
      ],
      notMe: 'Ce n’était pas moi',
    },
  },
  it: {
    'provider-added': {
      subject: 'Ora puoi accedere a {shop} in un altro modo',
      before: ['Un altro modo di accedere è appena stato collegato al tuo account su {shop}.'],
      link: 'Vedi il tuo account',
      after: [
        'Se non sei stato tu, imposta subito una nuova password. Nello stesso passaggio puoi rimuovere ciò che non riconosci:',
      ],
      notMe: 'Non sono stato io',
    },
    'provider-removed': {
      subject: 'Un modo di accedere a {shop} è stato rimosso',
      before: ['Un modo di accedere è appena stato rimosso dal tuo account su {shop}. Con esso non si può più accedere.'],
      link: 'Vedi il tuo account',
      after: [
        'Se non sei stato tu, imposta subito una nuova password. Nello stesso passaggio puoi rimuovere ciò che non riconosci:',
      ],
      notMe: 'Non sono stato io',
    },
    'passkey-added': {
      subject: 'Ora puoi accedere a {shop} con una nuova passkey',
      before: [
        'Al tuo account su {shop} è appena stata aggiunta una passkey. Chi ha il dispositivo su cui si trova può accedere con essa.',
      ],
      link: 'Vedi le tue passkey',
      after: [
        'Se non sei stato tu, imposta subito una nuova password. Nello stesso passaggio puoi rimuovere ciò che non riconosci:',
      ],
      notMe: 'Non sono stato io',
    },
    'passkey-removed': {
      subject: 'Una passkey di {shop} è stata eliminata',
      before: ['Una passkey del tuo account su {shop} è appena stata eliminata. Con essa non si può più accedere.'],
      link: 'Vedi le tue passkey',
      after: [
        'Se non sei stato tu, imposta subito una nuova password. Nello stesso passaggio puoi rimuovere ciò che non riconosci:',
      ],
      notMe: 'Non sono stato io',
    },
  },
};
