import { escapeXml as escape } from '../base/xml/write.ts';
import { type Action, bankPage, cardPage, type Filled, type Language, page, sentence } from './pages.ts';
import type { Setup } from './setup.ts';
import type { Words } from './words.ts';

const actionOf =
  (setup: Setup, { code }: Language): Action =>
  (step) =>
    `/setup/${setup.id}${step}?lang=${code}`;

/** What the card is for, in the words of the page. */
const purposeOf = ({ subscription }: Setup, words: Words) =>
  subscription === undefined
    ? { title: words.setupTitle, note: words.setupNote, button: words.setupSave }
    : { title: words.renewalTitle, note: words.renewalNote, button: words.renewalSave };

const summary = ({ title, note }: ReturnType<typeof purposeOf>) => `<h1 class="lead">${escape(title)}</h1><p>${escape(note)}</p>`;

const refusalOf = ({ reason }: Setup, words: Words): string | null => {
  if (reason === null) return null;
  return reason === 'authentication_failed' ? words.setupNotApproved : sentence(reason, words);
};

/** The form that keeps a card and charges nothing. */
export function setupPage(setup: Setup, language: Language, filled?: Filled): string {
  const { words } = language;
  const purpose = purposeOf(setup, words);
  const form = {
    title: `${purpose.title} · ${setup.shopName}`,
    heading: setup.shopName,
    summary: summary(purpose),
    refusal: refusalOf(setup, words),
    choice: '',
    button: purpose.button,
  };
  return cardPage(form, actionOf(setup, language), language, filled);
}

/** Whether the customer approves that the card is kept. */
export function setupChallengePage(setup: Setup, language: Language): string {
  const { words } = language;
  const question = words.setupChallengeText(setup.shopName);
  const asked = { title: words.setupChallengeTitle, summary: summary(purposeOf(setup, words)), question };
  return bankPage(asked, actionOf(setup, language), language);
}

/** Said of a setup that came to nothing, with the way back where it is known. */
export function setupOverPage(setup: Setup | undefined, language: Language): string {
  const { words } = language;
  const text = setup?.state === 'failed' ? words.setupFailed : words.setupGone;
  const back = setup
    ? `<p><a class="button" href="${escape(setup.returnUrl)}">${escape(words.back(setup.shopName))}</a></p>`
    : '';
  return page(language, words.setupTitle, `<div class="sheet"><h1>${escape(text)}</h1>${back}</div>`);
}
