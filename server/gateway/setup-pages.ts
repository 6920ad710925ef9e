import { escapeXml as escape } from '../base/xml/write.ts';
import { type Action, bankPage, cardPage, type CardFormValues, type Language, page, sentence } from './pages.ts';
import type { Setup } from './setup.ts';
import type { Words } from './words.ts';

const actionOf =
  (setup: Setup, { code }: Language): Action =>
  (step) =>
    `/setup/${setup.id}${step}?lang=${code}`;

/** The page's texts for the purpose of the card. */
const purposeOf = ({ subscription }: Setup, words: Words) =>
  subscription === undefined
    ? { title: words.setupTitle, note: words.setupNote, button: words.setupSave }
    : { title: words.renewalTitle, note: words.renewalNote, button: words.renewalSave };

const summary = ({ title, note }: ReturnType<typeof purposeOf>) => `<h1 class="lead">${escape(title)}</h1><p>${escape(note)}</p>`;

const refusalOf = ({ reason }: Setup, words: Words): string | null => {
  if (reason === null) return null;
  return reason === 'authentication_failed' ? words.setupNotApproved : sentence(reason, words);
};

/** Renders the form that saves a card without charging it. */
export function setupPage(setup: Setup, language: Language, filled?: CardFormValues): string {
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

/** Renders the challenge of a card to be saved. */
export function setupChallengePage(setup: Setup, language: Language): string {
  const { words } = language;
  const question = words.setupChallengeText(setup.shopName);
  const asked = { title: words.setupChallengeTitle, summary: summary(purposeOf(setup, words)), question };
  return bankPage(asked, actionOf(setup, language), language);
}

/**
 * Renders the page of a failed, expired or unknown setup, with a link back if the shop is known.
 */
export function setupOverPage(setup: Setup | undefined, language: Language): string {
  const { words } = language;
  const text = setup?.state === 'failed' ? words.setupFailed : words.setupGone;
  const back = setup
    ? `<p><a class="button" href="${escape(setup.returnUrl)}">${escape(words.back(setup.shopName))}</a></p>`
    : '';
  return page(language, words.setupTitle, `<div class="sheet"><h1>${escape(text)}</h1>${back}</div>`);
}
