import { escapeXml as escape } from '../base/xml/write.ts';
import {
  type Action,
  renderBankPage,
  renderCardPage,
  type CardFormValues,
  type PageLanguage,
  renderPageFrame,
  toSentence,
} from './pages.ts';
import type { Setup } from './setup.ts';
import type { Words } from './words.ts';

const createAction =
  (setup: Setup, { code }: PageLanguage): Action =>
  (step) =>
    `/setup/${setup.id}${step}?lang=${code}`;

/** The page's texts for the purpose of the card. */
const describePurpose = ({ subscription }: Setup, words: Words) =>
  subscription === undefined
    ? { title: words.setupTitle, note: words.setupNote, button: words.setupSave }
    : { title: words.renewalTitle, note: words.renewalNote, button: words.renewalSave };

const renderSummary = ({ title, note }: ReturnType<typeof describePurpose>) =>
  `<h1 class="lead">${escape(title)}</h1><p>${escape(note)}</p>`;

const getRefusal = ({ reason }: Setup, words: Words): string | null => {
  if (reason === null) return null;
  return reason === 'authentication_failed' ? words.setupNotApproved : toSentence(reason, words);
};

/** Renders the form for a card to be saved, or for a subscription's new card. */
export function renderSetupPage(setup: Setup, language: PageLanguage, formValues?: CardFormValues): string {
  const { words } = language;
  const purpose = describePurpose(setup, words);
  const form = {
    title: `${purpose.title} · ${setup.shopName}`,
    heading: setup.shopName,
    summary: renderSummary(purpose),
    refusal: getRefusal(setup, words),
    choice: '',
    button: purpose.button,
  };
  return renderCardPage(form, createAction(setup, language), language, formValues);
}

/** Renders the challenge of a card of a setup. */
export function renderSetupChallengePage(setup: Setup, language: PageLanguage): string {
  const { words } = language;
  const question = words.setupChallengeText(setup.shopName);
  const challenge = { title: words.setupChallengeTitle, summary: renderSummary(describePurpose(setup, words)), question };
  return renderBankPage(challenge, createAction(setup, language), language);
}

/**
 * Renders the page of a failed, expired or unknown setup, with a link back if the shop is known.
 */
export function renderSetupOverPage(setup: Setup | undefined, language: PageLanguage): string {
  const { words } = language;
  const text = setup?.state === 'failed' ? words.setupFailed : words.setupGone;
  const returnLink = setup
    ? `<p><a class="button" href="${escape(setup.returnUrl)}">${escape(words.back(setup.shopName))}</a></p>`
    : '';
  return renderPageFrame(language, words.setupTitle, `<div class="sheet"><h1>${escape(text)}</h1>${returnLink}</div>`);
}
