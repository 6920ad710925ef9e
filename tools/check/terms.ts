/** A concept, the shop's one term for it, and a pattern of the words never to be used for it. */
type Term = readonly [concept: string, use: string, never: string];

/**
 * The terms of each language. A row lists words that a customer could read for the concept in
 * another shop, or once read here; spellings of one word are one pattern, case makes no difference.
 */
const terms: Readonly<Record<string, readonly Term[]>> = {
  en: [
    ['cart', 'cart', 'baskets?|trolleys?'],
    ['code', 'code', 'coupons?|vouchers?|promo codes?'],
    ['campaign', 'offer', 'campaigns?'],
    ['subscription', 'subscription', 'plans?'],
    ['cancel a subscription', 'cancel', 'unsubscrib(?:e|ed|ing)'],
    ['wish list', 'wish list', 'wishlists?|favou?rites?'],
    ['sign in', 'sign in', 'log(?:ged|ging)? in|logins?'],
    ['sign out', 'sign out', 'log(?:ged|ging)? out|sign off'],
    ['email', 'email', 'e-mails?'],
    ['video', 'video', 'films?|movies?'],
    ['narrator', 'read by', 'narrat(?:or|ors|ed)'],
    ['shop', 'shop', 'stores?'],
    ['try again', 'Try again', 'retry|retries'],
    ['recognise', 'recognise', 'don’t know th(?:is|e) code'],
    ['another person', 'someone', 'somebody|everybody|anybody|nobody'],
    ['immediately', 'immediately', 'at once'],
    ['a service that does not respond', 'isn’t responding', 'isn’t answering'],
    ['British spelling', 'the British spelling', 'colors?|canceled|recogniz\\w+|favorites?|centers?'],
  ],
  es: [
    ['cart', 'carrito', 'cestas?|carro'],
    ['code', 'código', 'cup(?:ón|ones)|vales?'],
    ['campaign', 'promoción', 'campañas?'],
    ['recipient', 'destinatario', 'quien lo recibe'],
    ['subscription', 'suscripción', 'plan(?:es)?|abonos?'],
    ['get', 'conseguir', 'obt(?:ener|én|ienes?|enido)'],
    ['connect a service', 'vincular', 'conect(?:ar|ado|ada|ados|ando|arlo)'],
    ['passkey', 'llave de acceso', 'passkeys?|claves? de acceso'],
    ['email', 'correo', 'e-?mails?'],
    ['video', 'vídeo', 'películas?|videos?'],
    ['app', 'aplicación', 'apps?'],
    ['the customer', 'tú', 'usted(?:es)?|su (?:biblioteca|cuenta|carrito|contraseña|suscripción)'],
    ['try again (button)', 'Reintentar', 'volver a intentarlo'],
    ['try again (sentence)', 'Inténtalo de nuevo', 'vuelve a intentarlo'],
    ['right now', 'en este momento', 'ahora mismo'],
    ['a payment that went through', 'completado', 'no se ha (?:realizado|podido realizar)'],
  ],
  fr: [
    ['cart', 'panier', 'chariots?|corbeilles?'],
    ['discount code', 'code de réduction', 'codes? promo|coupons?'],
    ['campaign', 'offre', 'campagnes?'],
    ['subscription', 'abonnement', 'formules?|abonnée?s?'],
    ['email', 'e-mail', 'emails?|courriels?|(?<!e-)mails?'],
    ['shop', 'boutique', 'magasins?'],
    ['video', 'vidéo', 'films?'],
    ['play', 'Lecture', 'lancer'],
    ['search', 'rechercher', 'chercher'],
    ['press', 'appuyez', 'touchez'],
    ['charge a card', 'Rien ne vous a été débité', 'n’avez pas été débitée?|rien n’a été débité'],
    ['a payment that went through', 'abouti', 'paiement n’est pas passé'],
    ['for sale', 'en vente', 'disponible à la vente|indisponible à la vente'],
    ['app', 'application', 'applis?|apps?'],
    ['passkey', 'clé d’accès', 'passkeys?|clé d’identification'],
    ['try again (sentence)', 'Réessayez', 'veuillez(?: réessayer)?'],
  ],
  it: [
    ['cart', 'carrello', 'cestin[oi]'],
    ['discount code', 'codice sconto', 'coupon|buon[oi] sconto'],
    ['campaign', 'promozione', 'campagn[ae]'],
    ['recipient', 'destinatario', 'chi lo riceve'],
    ['tax', 'imposte', 'tass[ae]'],
    ['email', 'email', 'e-mail'],
    ['video', 'video', 'film'],
    ['play', 'Riproduci or Gioca', 'avvia'],
    ['get', 'ottenere', 'prend(?:i|ere|ilo)'],
    ['buy', 'acquistare', 'compr(?:a|i|are|ato|ati)'],
    ['own', 'hai', 'possied[ei]'],
    ['remove', 'rimuovere', 'togli(?:ere|ne|lo)?'],
    ['explore', 'esplora', 'sfoglia(?:re)?'],
    ['nothing', 'nulla', 'niente'],
    ['now', 'ora', 'adesso'],
    ['a moment', 'attimo', 'tra un momento'],
    ['place', 'punto di lettura', 'segn[oi] di lettura'],
    ['a customer of either gender', 'words without a gender', '(?:sei|eri) (?:stat|rimast|arrivat|disconness|abbonat)o'],
  ],
  zh: [
    ['cart', '购物车', '购物(?:篮|袋)'],
    ['shop', '书店', '商店|店铺'],
    ['account', '账号', '账户|帐[号户]'],
    ['title', '部作品', '件作品'],
    ['video', '视频', '影片'],
    ['load', '加载', '载入'],
    ['couldn’t load', '无法加载', '未能加载'],
    ['try again', '重试', '再试一次'],
    ['You haven’t been charged', '未扣款', '没有产生扣款|未被扣款|尚未扣款|未向您收费'],
    ['charged twice', '重复扣款', '重复收费'],
    ['payment page', '支付页面', '付款页面'],
    ['order number', '订单号', '订单编号'],
    ['phone number', '手机号码', '手机号(?!码)'],
    ['press', '点击', '按下'],
    ['send a gift', '发送', '寄出'],
    ['you', '您', '你'],
    ['a plain thank you', '感谢您的购买', '谢谢惠顾'],
    ['newsletter', '资讯邮件', '新闻邮件'],
  ],
};

/** Matches whole words only, except in Chinese, which has no spaces between words. */
const createPattern = (locale: string, never: string): RegExp =>
  new RegExp(locale === 'zh' ? never : `(?<!\\p{L})(?:${never})(?!\\p{L})`, 'iu');

const compiledTerms = Object.fromEntries(
  Object.entries(terms).map(([locale, rows]) => [
    locale,
    rows.map(([concept, use, never]) => ({ concept, use, never: createPattern(locale, never) })),
  ]),
);

/** A complaint if a text uses another term than the shop does; null if it does not. */
export function findWrongTerm(locale: string, text: string): string | null {
  // The names of variables are not read by customers.
  const visibleText = text.replaceAll(/<\/?\d+\/?>|\{\w+(?=[,}])/g, ' ');
  for (const { concept, use, never } of compiledTerms[locale] ?? []) {
    const [word] = never.exec(visibleText) ?? [];
    if (word !== undefined) return `"${word}" for ${concept}, where the shop says "${use}"`;
  }
  return null;
}
