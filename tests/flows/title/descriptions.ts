import type { sharingMachine } from '../../../machines/browsing/sharing.ts';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import type { Description } from '../../support/description.ts';

export const titleDescription = {
  title: 'A title’s page',
  about: 'What a title is, what it costs, whether it is the customer’s, and what is like it: /id:… and /isbn:….',
  states: {
    'title.loading': 'A wait: “Taking it off the shelf…”.',
    'title.notFound': 'The heading “We do not have that title” and “See all titles”.',
    'title.failed': 'The heading “The title did not come”, the reason, and “Retry”.',
    'title.shown.ownership.checking': 'The title’s name as the heading; the place for Buy says “One moment…”.',
    'title.shown.ownership.notOwned':
      'The title’s name as the heading; “Buy for {price}” when it is for sale, and the sample when it has one.',
    'title.shown.ownership.owned':
      'The title’s name as the heading; “Read” (“Listen”, “Watch”, “Play”) instead of Buy and sample.',
    'title.shown.related.below': 'Further down, an empty place for other titles.',
    'title.shown.related.loading': 'Further down, grey covers.',
    'title.shown.related.listed': 'Further down, “You may also like” with covers.',
    'title.shown.related.hidden': 'No other titles further down.',
    'title.shown.comments.below': 'Below all that, an empty place for comments.',
    'title.shown.comments.loading': 'Below all that, an empty place for comments.',
    'title.shown.comments.shown': 'Below all that, “Comments” and what the service of comments puts there.',
    'title.shown.comments.hidden': 'No comments.',
  },
  presses: {
    'retry.pressed': 'Press “Retry”',
    'buy.pressed': 'Press “Buy for {price}”',
    'read.pressed': 'Press “Read” (“Listen”, “Watch”, “Play”)',
    'sample.pressed': 'Press “Read a sample” (“Listen to a sample”, “Watch a sample”, “Try the beginning”)',
    'related.near': 'Scroll down until half of the place for other titles is in sight',
    'comments.near': 'Scroll down until half of the place for comments is in sight',
  },
  happens: {},
  asks: {
    title: 'the title',
    ownership: 'its word whether the title is the customer’s',
    related: 'titles like this one',
    comments: 'the comments, from the host in CORAL_HOST',
  },
  effects: {
    goPurchase: 'The summary of the purchase comes up: /title/purchase?titleid=….',
    goRead: 'The viewer opens the title.',
    goSample: 'The viewer opens the sample (a visitor is asked to sign up first).',
  },
} satisfies Description<typeof titleMachine>;

export const sharingDescription = {
  title: 'Sharing a title',
  about: 'The buttons under a title’s price, by which somebody else is told of it.',
  states: {
    'sharing.looking': '“Copy the link” cannot be pressed yet.',
    'sharing.ready.untouched': '“Copy the link” and “Send by e-mail”; “Share…” where the browser has a way of its own.',
    'sharing.ready.copied': '“The link is copied.”',
    'sharing.ready.notCopied': '“The browser did not let us copy. The link: {link}”',
    'sharing.sharing': 'The browser’s own way of sharing is open.',
    'sharing.copying': 'The buttons wait.',
  },
  presses: { 'share.pressed': 'Press “Share…”', 'copy.pressed': 'Press “Copy the link”' },
  asks: { ways: 'the ways to share', share: 'the browser’s own way of sharing', copy: 'a copy of the link' },
} satisfies Description<typeof sharingMachine>;
