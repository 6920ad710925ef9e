import { escapeXml as escape } from '../base/xml/write.ts';
import { type CardDetails, type CardProblem, TEST_CARDS } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import { money, type chooseLanguage } from './language.ts';
import type { Words } from './words.ts';

export type Language = ReturnType<typeof chooseLanguage>;

const PROBLEMS = {
  number: { field: 'number', word: 'badNumber' },
  expiry: { field: 'expiry', word: 'badExpiry' },
  expired: { field: 'expiry', word: 'badExpired' },
  cvc: { field: 'cvc', word: 'badCvc' },
  name: { field: 'name', word: 'badName' },
} as const satisfies Record<CardProblem, { field: keyof CardDetails; word: `bad${string}` & keyof Words }>;

/** A whole page. It names an empty icon: Firefox would ask for `/favicon.ico`. */
export const page = ({ code }: Language, title: string, body: string) => `<!doctype html>
<html lang="${code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"></head><body><main>${body}</main></body></html>`;

/**
 * The Content-Security-Policy of a page.
 * @param returnOrigin where its forms lead: Chromium applies form-action to redirects, too
 */
export const pagePolicy = (returnOrigin = ''): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self' ${returnOrigin}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const amountOf = (intent: GatewayIntent, { code }: Language) => money(intent.amountMinor, intent.currency, code);

/** When a subscription is charged, and how much. */
function terms({ subscription, currency }: GatewayIntent, { code, words }: Language): string {
  if (!subscription) return '';
  const { amountMinor, period, trialDays } = subscription;
  const free = trialDays > 0 ? `${escape(words.trial(trialDays))} ` : '';
  return `<p class="terms">${free}${escape(words.terms[period](money(amountMinor, currency, code)))}</p>`;
}

const summary = (intent: GatewayIntent, language: Language) =>
  `<h1>${escape(intent.description)}</h1><p class="amount">${escape(amountOf(intent, language))}</p>${terms(intent, language)}`;

/** Where the forms of a page go to. */
export type Action = (step: '' | '/challenge' | '/wallet' | '/cancel') => string;

const actionOf =
  (intent: GatewayIntent, { code }: Language): Action =>
  (step) =>
    `/pay/${intent.id}${step}?lang=${code}`;

type Field = { name: keyof CardDetails; autocomplete: string; inputmode: string; placeholder: string };

function input(field: Field, { words }: Language, problems: CardProblem[], value: string): string {
  const problem = problems.map((each) => PROBLEMS[each]).find((each) => each.field === field.name);
  const broken = problem ? ` aria-invalid="true" aria-describedby="${field.name}-problem"` : '';
  return `<div><label for="${field.name}">${escape(words[field.name])}</label>
<input id="${field.name}" name="${field.name}" value="${escape(value)}" autocomplete="${field.autocomplete}" inputmode="${field.inputmode}"
 placeholder="${field.placeholder}" maxlength="100" required${broken}>
${problem ? `<p class="problem" id="${field.name}-problem">${escape(words[problem.word])}</p>` : ''}</div>`;
}

const NUMBER: Field = { name: 'number', autocomplete: 'cc-number', inputmode: 'numeric', placeholder: '4242 4242 4242 4242' };
const EXPIRY: Field = { name: 'expiry', autocomplete: 'cc-exp', inputmode: 'text', placeholder: '12/34' };
const CVC: Field = { name: 'cvc', autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: '123' };
const NAME: Field = { name: 'name', autocomplete: 'cc-name', inputmode: 'text', placeholder: '' };

/** A gateway's reason as a sentence; unknown ones read as a declined card. */
export const sentence = (reason: string, words: Words): string =>
  new Map(Object.entries(words.refusals)).get(reason) ?? words.refusals.card_declined;

const alert = (text: string | null): string => (text ? `<p class="alert" role="alert">${escape(text)}</p>` : '');

const cancelForm = (to: Action, { words }: Language) =>
  `<form method="post" action="${to('/cancel')}"><button class="quiet">${escape(words.cancel)}</button></form>`;

const testCards = ({ words }: Language) => `<aside class="note"><p>${escape(words.notice)}</p>
<h2>${escape(words.testCards)}</h2><p>${escape(words.anyDate)}</p>
<dl>${TEST_CARDS.map((card) => `<dt>${card.number}</dt><dd>${escape(words.cards[card.word])}</dd>`).join('')}</dl></aside>`;

/** What the form was sent with last, and what was wrong with it. Numbers and security codes are never written back. */
export type Filled = Pick<CardDetails, 'expiry' | 'name'> & { keep: boolean; problems: CardProblem[] };

const EMPTY: Filled = { expiry: '', name: '', keep: false, problems: [] };

/** What a page with a card form has of its own; its texts are escaped here, `summary` and `choice` are markup. */
type CardForm = { title: string; heading: string; summary: string; refusal: string | null; choice: string; button: string };

/** The card form. */
export function cardPage(form: CardForm, to: Action, language: Language, { problems, expiry, name }: Filled = EMPTY): string {
  const { words } = language;
  const field = (each: Field, value = '') => input(each, language, problems, value);
  return page(
    language,
    form.title,
    `<p class="shop">${escape(form.heading)}</p><div class="sheet">${form.summary}
${alert(problems.length > 0 ? words.summary : form.refusal)}<form method="post" action="${to('')}" novalidate>
${field(NUMBER)}<div class="pair">${field(EXPIRY, expiry)}${field(CVC)}</div>${field(NAME, name)}
${form.choice}<button>${escape(form.button)}</button></form>${cancelForm(to, language)}</div>${testCards(language)}`,
  );
}

/** The form that pays. */
export function payPage(intent: GatewayIntent, language: Language, filled: Filled = EMPTY): string {
  const { words } = language;
  const form = {
    title: `${words.title} · ${intent.shopName}`,
    heading: words.payTo(intent.shopName),
    summary: summary(intent, language),
    refusal: intent.reason && sentence(intent.reason, words),
    choice: `<label class="keep"><input type="checkbox" name="keep" value="yes"${filled.keep ? ' checked' : ''}> ${escape(words.keep)}</label>
`,
    button: intent.subscription ? words.subscribe : words.pay(amountOf(intent, language)),
  };
  return cardPage(form, actionOf(intent, language), language, filled);
}

/** The bank's page of a card that asks for approval (3-D Secure). @param summary markup of what is approved */
export function bankPage(asked: { title: string; summary: string; question: string }, to: Action, language: Language): string {
  const { words } = language;
  const choice = (answer: string, word: string, look: string) =>
    `<button name="answer" value="${answer}"${look}>${escape(word)}</button>`;
  return page(
    language,
    asked.title,
    `<p class="shop">${escape(asked.title)}</p><div class="sheet">${asked.summary}<p>${escape(asked.question)}</p>
<form method="post" action="${to('/challenge')}">${choice('approve', words.approve, '')}
${choice('fail', words.refuse, ' class="quiet"')}</form>${cancelForm(to, language)}</div>`,
  );
}

/** Whether the customer approves the payment. */
export function challengePage(intent: GatewayIntent, language: Language): string {
  const { words } = language;
  const question = words.challengeText({ amount: amountOf(intent, language), shop: intent.shopName });
  const asked = { title: words.challengeTitle, summary: summary(intent, language), question };
  return bankPage(asked, actionOf(intent, language), language);
}

/** The page of the test wallet, which has no cards to type. */
export function walletPage(intent: GatewayIntent, language: Language): string {
  const { words } = language;
  const to = actionOf(intent, language);
  const choice = (answer: string, word: string, look: string) =>
    `<button name="answer" value="${answer}"${look}>${escape(word)}</button>`;
  return page(
    language,
    `${words.walletTitle} · ${intent.shopName}`,
    `<p class="shop">${escape(words.payTo(intent.shopName))}</p><div class="sheet">${summary(intent, language)}
${alert(intent.reason && words.walletRefused)}<h2>${escape(words.walletTitle)}</h2>
<p>${escape(words.challengeText({ amount: amountOf(intent, language), shop: intent.shopName }))}</p>
<form method="post" action="${to('/wallet')}">${choice('approve', words.approve, '')}
${choice('fail', words.refuse, ' class="quiet"')}</form>${cancelForm(to, language)}</div>
<aside class="note"><p>${escape(words.walletNotice)}</p></aside>`,
  );
}

export const gonePage = (language: Language): string =>
  page(language, language.words.title, `<div class="sheet"><h1>${escape(language.words.gone)}</h1></div>`);
