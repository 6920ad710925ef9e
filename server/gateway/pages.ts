import { escapeXml as escape } from '../base/xml/write.ts';
import { type CardDetails, type CardProblem, TEST_CARDS } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import { formatMoney, type chooseLanguage } from './language.ts';
import type { Words } from './words.ts';

export type PageLanguage = ReturnType<typeof chooseLanguage>;

const PROBLEMS = {
  number: { field: 'number', messageKey: 'badNumber' },
  expiry: { field: 'expiry', messageKey: 'badExpiry' },
  expired: { field: 'expiry', messageKey: 'badExpired' },
  cvc: { field: 'cvc', messageKey: 'badCvc' },
  name: { field: 'name', messageKey: 'badName' },
} as const satisfies Record<CardProblem, { field: keyof CardDetails; messageKey: `bad${string}` & keyof Words }>;

/** A complete HTML page. It has an empty icon, or Firefox would request `/favicon.ico`. */
export const renderPageFrame = ({ code }: PageLanguage, title: string, body: string) => `<!doctype html>
<html lang="${code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"></head><body><main>${body}</main></body></html>`;

/**
 * The Content-Security-Policy of a page.
 * @param returnOrigin origin that its forms redirect to: Chromium applies form-action to redirects
 * as well
 */
export const createPagePolicy = (returnOrigin = ''): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self' ${returnOrigin}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const formatIntentAmount = (intent: GatewayIntent, { code }: PageLanguage) =>
  formatMoney(intent.amountMinor, intent.currency, code);

/** Renders when a subscription is charged, and the amount; empty for another payment. */
function renderTerms({ subscription, currency }: GatewayIntent, { code, words }: PageLanguage): string {
  if (!subscription) return '';
  const { amountMinor, period, trialDays } = subscription;
  const trialText = trialDays > 0 ? `${escape(words.trial(trialDays))} ` : '';
  return `<p class="terms">${trialText}${escape(words.terms[period](formatMoney(amountMinor, currency, code)))}</p>`;
}

const renderSummary = (intent: GatewayIntent, language: PageLanguage) =>
  `<h1>${escape(intent.description)}</h1><p class="amount">${escape(formatIntentAmount(intent, language))}</p>${renderTerms(intent, language)}`;

/** Returns the URL of a form's action. */
export type Action = (step: '' | '/challenge' | '/wallet' | '/cancel') => string;

const createAction =
  (intent: GatewayIntent, { code }: PageLanguage): Action =>
  (step) =>
    `/pay/${intent.id}${step}?lang=${code}`;

type Field = { name: keyof CardDetails; autocomplete: string; inputmode: string; placeholder: string };

function renderInput(field: Field, { words }: PageLanguage, problems: CardProblem[], value: string): string {
  const problem = problems.map((each) => PROBLEMS[each]).find((each) => each.field === field.name);
  const invalidAttributes = problem ? ` aria-invalid="true" aria-describedby="${field.name}-problem"` : '';
  return `<div><label for="${field.name}">${escape(words[field.name])}</label>
<input id="${field.name}" name="${field.name}" value="${escape(value)}" autocomplete="${field.autocomplete}" inputmode="${field.inputmode}"
 placeholder="${field.placeholder}" maxlength="100" required${invalidAttributes}>
${problem ? `<p class="problem" id="${field.name}-problem">${escape(words[problem.messageKey])}</p>` : ''}</div>`;
}

const NUMBER_FIELD: Field = {
  name: 'number',
  autocomplete: 'cc-number',
  inputmode: 'numeric',
  placeholder: '4242 4242 4242 4242',
};
const EXPIRY_FIELD: Field = { name: 'expiry', autocomplete: 'cc-exp', inputmode: 'text', placeholder: '12/34' };
const CVC_FIELD: Field = { name: 'cvc', autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: '123' };
const NAME_FIELD: Field = { name: 'name', autocomplete: 'cc-name', inputmode: 'text', placeholder: '' };

/** The translated sentence for a decline reason; unknown reasons are shown as a declined card. */
export const toSentence = (reason: string, words: Words): string =>
  new Map(Object.entries(words.refusals)).get(reason) ?? words.refusals.card_declined;

const renderAlert = (text: string | null): string => (text ? `<p class="alert" role="alert">${escape(text)}</p>` : '');

const renderCancelForm = (toActionUrl: Action, { words }: PageLanguage) =>
  `<form method="post" action="${toActionUrl('/cancel')}"><button class="quiet">${escape(words.cancel)}</button></form>`;

const renderTestCards = ({ words }: PageLanguage) => `<aside class="note"><p>${escape(words.notice)}</p>
<h2>${escape(words.testCards)}</h2><p>${escape(words.anyDate)}</p>
<dl>${TEST_CARDS.map((card) => `<dt>${card.number}</dt><dd>${escape(words.cards[card.messageKey])}</dd>`).join('')}</dl></aside>`;

/**
 * The last submitted input and its problems. Card numbers and security codes are never sent back.
 */
export type CardFormValues = Pick<CardDetails, 'expiry' | 'name'> & { keep: boolean; problems: CardProblem[] };

const EMPTY_FORM: CardFormValues = { expiry: '', name: '', keep: false, problems: [] };

/**
 * The parts of a card form that differ by page; texts are escaped here, `summary` and `choice` are
 * markup.
 */
type CardForm = { title: string; heading: string; summary: string; refusal: string | null; choice: string; button: string };

/** Renders a page with a card form. */
export function renderCardPage(
  form: CardForm,
  toActionUrl: Action,
  language: PageLanguage,
  { problems, expiry, name }: CardFormValues = EMPTY_FORM,
): string {
  const { words } = language;
  const renderField = (inputField: Field, value = '') => renderInput(inputField, language, problems, value);
  return renderPageFrame(
    language,
    form.title,
    `<p class="shop">${escape(form.heading)}</p><div class="sheet">${form.summary}
${renderAlert(problems.length > 0 ? words.summary : form.refusal)}<form method="post" action="${toActionUrl('')}" novalidate>
${renderField(NUMBER_FIELD)}<div class="pair">${renderField(EXPIRY_FIELD, expiry)}${renderField(CVC_FIELD)}</div>${renderField(NAME_FIELD, name)}
${form.choice}<button>${escape(form.button)}</button></form>${renderCancelForm(toActionUrl, language)}</div>${renderTestCards(language)}`,
  );
}

/** Renders the payment form. */
export function renderPayPage(intent: GatewayIntent, language: PageLanguage, formValues: CardFormValues = EMPTY_FORM): string {
  const { words } = language;
  const form = {
    title: `${words.title} · ${intent.shopName}`,
    heading: words.payTo(intent.shopName),
    summary: renderSummary(intent, language),
    refusal: intent.reason && toSentence(intent.reason, words),
    choice: `<label class="keep"><input type="checkbox" name="keep" value="yes"${formValues.keep ? ' checked' : ''}> ${escape(words.keep)}</label>
`,
    button: intent.subscription ? words.subscribe : words.pay(formatIntentAmount(intent, language)),
  };
  return renderCardPage(form, createAction(intent, language), language, formValues);
}

/**
 * Renders the bank's challenge of a card (3-D Secure).
 * @param challenge its `summary` is markup of the payment or card to approve
 */
export function renderBankPage(
  challenge: { title: string; summary: string; question: string },
  toActionUrl: Action,
  language: PageLanguage,
): string {
  const { words } = language;
  const renderChoice = (answer: string, label: string, attributes: string) =>
    `<button name="answer" value="${answer}"${attributes}>${escape(label)}</button>`;
  return renderPageFrame(
    language,
    challenge.title,
    `<p class="shop">${escape(challenge.title)}</p><div class="sheet">${challenge.summary}<p>${escape(challenge.question)}</p>
<form method="post" action="${toActionUrl('/challenge')}">${renderChoice('approve', words.approve, '')}
${renderChoice('fail', words.refuse, ' class="quiet"')}</form>${renderCancelForm(toActionUrl, language)}</div>`,
  );
}

/** Renders the challenge of a payment. */
export function renderChallengePage(intent: GatewayIntent, language: PageLanguage): string {
  const { words } = language;
  const question = words.challengeText({ amount: formatIntentAmount(intent, language), shop: intent.shopName });
  const challenge = { title: words.challengeTitle, summary: renderSummary(intent, language), question };
  return renderBankPage(challenge, createAction(intent, language), language);
}

/** Renders the page of the test wallet, which has no card form. */
export function renderWalletPage(intent: GatewayIntent, language: PageLanguage): string {
  const { words } = language;
  const toActionUrl = createAction(intent, language);
  const renderChoice = (answer: string, label: string, attributes: string) =>
    `<button name="answer" value="${answer}"${attributes}>${escape(label)}</button>`;
  return renderPageFrame(
    language,
    `${words.walletTitle} · ${intent.shopName}`,
    `<p class="shop">${escape(words.payTo(intent.shopName))}</p><div class="sheet">${renderSummary(intent, language)}
${renderAlert(intent.reason && words.walletRefused)}<h2>${escape(words.walletTitle)}</h2>
<p>${escape(words.challengeText({ amount: formatIntentAmount(intent, language), shop: intent.shopName }))}</p>
<form method="post" action="${toActionUrl('/wallet')}">${renderChoice('approve', words.approve, '')}
${renderChoice('fail', words.refuse, ' class="quiet"')}</form>${renderCancelForm(toActionUrl, language)}</div>
<aside class="note"><p>${escape(words.walletNotice)}</p></aside>`,
  );
}

export const renderUnknownPaymentPage = (language: PageLanguage): string =>
  renderPageFrame(language, language.words.title, `<div class="sheet"><h1>${escape(language.words.gone)}</h1></div>`);
