import type { SnapshotFrom } from 'xstate';
import { isFree } from '../../../model/catalogue/price.ts';
import type { TitleType } from '../../../model/catalogue/title.ts';
import type { sharingMachine } from '../../../browsing/sharing.ts';
import type { titleMachine } from '../../../browsing/title.ts';
import type { Description } from '../../description.ts';

type TitleSnapshot = SnapshotFrom<typeof titleMachine>;

const readLabels: Record<TitleType, string> = { ebook: '“Read”', audio: '“Listen”', video: '“Watch”', interactive: '“Play”' };

const sampleLabels: Record<TitleType, string> = {
  ebook: '“Read a sample”',
  audio: '“Listen to a sample”',
  video: '“Watch a sample”',
  interactive: '“Play a sample”',
};

const getReadButton = ({ context: { title } }: TitleSnapshot): string => readLabels[title?.type ?? 'ebook'];

const getSampleButton = ({ context: { title } }: TitleSnapshot): string => sampleLabels[title?.type ?? 'ebook'];

const getBuyButton = ({ context: { title } }: TitleSnapshot): string =>
  title !== null && isFree(title) ? '“Get it for free”' : '“Buy for {price}”';

const describeNotOwned = (snapshot: TitleSnapshot): string => {
  const { title } = snapshot.context;
  const buttons = [
    ...(title?.forSale === true ? [getBuyButton(snapshot)] : []),
    ...(title?.hasSample === true ? [getSampleButton(snapshot)] : []),
  ];
  return `The title’s name as the heading; ${buttons.length === 0 ? '“Not for sale” without a button' : buttons.join(' and ')}.`;
};

export const titleDescription = {
  title: 'A title’s page',
  about: 'A title’s details, its price, its ownership, and similar titles: /id:… and /isbn:….',
  states: {
    'title.loading': 'A wait: “Taking it off the shelf…”.',
    'title.notFound': 'The heading “We don’t have that title” and “See all titles”.',
    'title.failed': 'The heading “We couldn’t load this title”, the reason, and “Try again”.',
    'title.translating': 'The title as before, until its texts in the other language have loaded.',
    'title.shown.ownership.checking': 'The title’s name as the heading; “One moment…” in place of Buy.',
    'title.shown.ownership.notOwned': describeNotOwned,
    'title.shown.ownership.granting': 'The title’s name as the heading; “One moment…” in place of “Get it for free”.',
    'title.shown.ownership.notGranted':
      'The title’s name as the heading; “Get it for free”, and the reason why the title was not granted.',
    'title.shown.ownership.owned': (snapshot) =>
      `The title’s name as the heading; ${getReadButton(snapshot)} instead of Buy and sample.`,
    'title.shown.ownership.included': (snapshot) =>
      `The title’s name as the heading; ${getReadButton(snapshot)}${snapshot.context.title?.forSale === true ? ', “Buy for {price}” beside it,' : ''} and “It’s included in your subscription.”`,
    'title.shown.ownership.taking': 'The title’s name as the heading; “One moment…” in place of the button that opens the title.',
    'title.shown.ownership.notTaken': 'The title’s name as the heading; “Read”, and the reason why the title did not open.',
    'title.shown.related.below': 'Further down, an empty area for other titles.',
    'title.shown.related.loading': 'Further down, grey covers.',
    'title.shown.related.listed': 'Further down, “You may also like” with covers.',
    'title.shown.related.hidden': 'No other titles further down.',
    'title.shown.comments.below': 'Below all that, an empty area for comments.',
    'title.shown.comments.loading': 'Below all that, an empty area for comments.',
    'title.shown.comments.shown': 'Below all that, “Comments” and the content of the comment service.',
    'title.shown.comments.hidden': 'No comments.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'buy.pressed': (snapshot) => `Press ${getBuyButton(snapshot)}`,
    'read.pressed': (snapshot) => `Press ${getReadButton(snapshot)}`,
    'sample.pressed': (snapshot) => `Press ${getSampleButton(snapshot)}`,
    'related.nearViewport': 'Scroll down until half of the area for other titles is visible',
    'comments.nearViewport': 'Scroll down until half of the area for comments is visible',
  },
  happens: { 'language.changed': 'The texts of the language that the customer chose in the footer have loaded' },
  asks: {
    title: 'the title',
    ownership: 'its answer whether the customer has the title',
    grant: 'the customer’s copy of the title',
    related: 'titles like this one',
    comments: 'the comments, from the host in CORAL_HOST',
  },
  effects: {
    goPurchase: 'The summary of the purchase opens: /title/purchase?titleid=….',
    requestSignIn: 'The sign-in page opens; after sign-in the title is in the library.',
    goRead: 'The viewer opens the title.',
    goSample: 'The viewer opens the sample (a visitor is asked to sign up first).',
  },
} satisfies Description<typeof titleMachine>;

export const sharingDescription = {
  title: 'Sharing a title',
  about: 'The buttons under a title’s price that share it.',
  states: {
    'sharing.looking': '“Copy link” cannot be pressed yet.',
    'sharing.ready.untouched': '“Copy link” and “Send by email”; “Share” if the browser has its own share dialog.',
    'sharing.ready.copied': '“Link copied.”',
    'sharing.ready.notCopied': '“Your browser didn’t allow copying. Here’s the link: {link}”',
    'sharing.sharing': 'The browser’s share dialog is open.',
    'sharing.copying': 'The buttons wait.',
  },
  presses: { 'share.pressed': 'Press “Share”', 'copy.pressed': 'Press “Copy link”' },
  happens: {
    'xstate.done.actor.ways': 'The browser reports whether it has a share dialog',
    'xstate.done.actor.share': 'The share dialog closes',
    'xstate.done.actor.copy': 'The browser copies the link',
    'xstate.error.actor.copy': 'The browser does not allow copying',
  },
} satisfies Description<typeof sharingMachine>;
