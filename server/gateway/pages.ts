import { escapeXml as escape } from '../xml/write.ts';
import { type CardDetails, type CardProblem, TEST_CARDS } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import { fill, money, type chooseLanguage } from './language.ts';
import type { Words } from './words.ts';

export type Language = ReturnType<typeof chooseLanguage>;

const PROBLEMS = {
  number: { field: 'number', word: 'badNumber' },
  expiry: { field: 'expiry', word: 'badExpiry' },
  expired: { field: 'expiry', word: 'badExpired' },
  cvc: { field: 'cvc', word: 'badCvc' },
  name: { field: 'name', word: 'badName' },
} as const satisfies Record<CardProblem, { field: keyof CardDetails; word: keyof Words }>;

const page = ({ code }: Language, title: string, body: string) => `<!doctype html>
<html lang="${code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><link rel="stylesheet" href="/style.css"></head><body><main>${body}</main></body></html>`;

const amountOf = (intent: GatewayIntent, { code }: Language) => money(intent.amountMinor, intent.currency, code);

const summary = (intent: GatewayIntent, language: Language) =>
  `<h1>${escape(intent.description)}</h1><p class="amount">${escape(amountOf(intent, language))}</p>`;

const action = (intent: GatewayIntent, step: string, { code }: Language) => `/pay/${intent.id}${step}?lang=${code}`;

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
const sentence = (reason: string, words: Words): string =>
  Object.hasOwn(words, reason) ? String(Reflect.get(words, reason)) : words.card_declined;

function alert(intent: GatewayIntent, problems: CardProblem[], { words }: Language): string {
  const text = problems.length > 0 ? words.summary : intent.reason && sentence(intent.reason, words);
  return text ? `<p class="alert" role="alert">${escape(text)}</p>` : '';
}

const cancelForm = (intent: GatewayIntent, language: Language) =>
  `<form method="post" action="${action(intent, '/cancel', language)}"><button class="quiet">${escape(language.words.cancel)}</button></form>`;

const testCards = ({ words }: Language) => `<aside class="note"><p>${escape(words.notice)}</p>
<h2>${escape(words.testCards)}</h2><p>${escape(words.anyDate)}</p>
<dl>${TEST_CARDS.map((card) => `<dt>${card.number}</dt><dd>${escape(words[card.word])}</dd>`).join('')}</dl></aside>`;

/** What the form was sent with last, and what was wrong with it. Numbers and security codes are never written back. */
export type Filled = Pick<CardDetails, 'expiry' | 'name'> & { keep: boolean; problems: CardProblem[] };

const EMPTY: Filled = { expiry: '', name: '', keep: false, problems: [] };

/** The card form. */
export function payPage(intent: GatewayIntent, language: Language, filled: Filled = EMPTY): string {
  const { words } = language;
  const { problems } = filled;
  const field = (each: Field, value = '') => input(each, language, problems, value);
  return page(
    language,
    `${words.title} · ${intent.shopName}`,
    `<p class="shop">${escape(fill(words.payTo, { shop: intent.shopName }))}</p><div class="sheet">${summary(intent, language)}
${alert(intent, problems, language)}<form method="post" action="${action(intent, '', language)}" novalidate>
${field(NUMBER)}<div class="pair">${field(EXPIRY, filled.expiry)}${field(CVC)}</div>${field(NAME, filled.name)}
<label class="keep"><input type="checkbox" name="keep" value="yes"${filled.keep ? ' checked' : ''}> ${escape(words.keep)}</label>
<button>${escape(fill(words.pay, { amount: amountOf(intent, language) }))}</button></form>${cancelForm(intent, language)}</div>${testCards(language)}`,
  );
}

/** The bank's page of a card that asks for approval (3-D Secure). */
export function challengePage(intent: GatewayIntent, language: Language): string {
  const { words } = language;
  const question = fill(words.challengeText, { amount: amountOf(intent, language), shop: intent.shopName });
  const choice = (answer: string, word: string, look: string) =>
    `<button name="answer" value="${answer}"${look}>${escape(word)}</button>`;
  return page(
    language,
    words.challengeTitle,
    `<p class="shop">${escape(words.challengeTitle)}</p><div class="sheet">${summary(intent, language)}<p>${escape(question)}</p>
<form method="post" action="${action(intent, '/challenge', language)}">${choice('approve', words.approve, '')}
${choice('fail', words.refuse, ' class="quiet"')}</form>${cancelForm(intent, language)}</div>`,
  );
}

export const gonePage = (language: Language): string =>
  page(language, language.words.title, `<div class="sheet"><h1>${escape(language.words.gone)}</h1></div>`);
