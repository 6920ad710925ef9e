import type { addressesMachine } from '../../../reading/addresses.ts';
import type { bookMachine } from '../../../reading/book.ts';
import type { interactiveMachine } from '../../../reading/interactive.ts';
import type { noticesMachine } from '../../../reading/notices.ts';
import type { progressMachine } from '../../../reading/progress.ts';
import type { tracksMachine } from '../../../reading/tracks.ts';
import type { viewerMachine } from '../../../reading/viewer.ts';
import type { Description } from '../../description.ts';
import { interruptionEventTexts, messageGoneText, messageText, retryText } from './interruption-description.ts';

const closingText = 'A wait of two seconds at most: “Saving your place…”.';
const closedText = 'The viewer has closed: My Library is shown, or the title’s page after a sample.';
const keptPlaceText = 'Open the title again later: it opens at the same position.';
const windowHiddenText = 'The window is hidden, or another window covers it';
const savedText = 'The position has been saved';

const chapterMissingText = 'A page turn leads to a chapter that is missing in the file';

/** The events that every player receives when its media URLs expire. */
const renewalTexts = {
  'addresses.renewed': 'The server has sent new URLs',
  'addresses.refused': 'The server refuses new URLs, since the customer no longer has the title',
  'addresses.failed': 'The server sends no new URLs',
};
const continuesText = 'No visible change: the title continues at its position.';
const restartText = 'No visible change: “Try again” will use the new URLs.';
const renewalCallText = 'The network panel shows a call of the viewer for new URLs.';
const lostTitleText = 'The viewer shows why the title can no longer be read.';

const playerClosedText = 'The player has been closed';

export const viewerDescription = {
  title: 'The viewer',
  about: 'Opens a title or its sample and hands it to the player of its medium: /viewer?instanceid=….',
  states: {
    'viewer.opening': 'A wait: “Opening the title…”, with “Close”.',
    'viewer.reading': 'The book or PDF opens, as in the plan “book”.',
    'viewer.listening': 'The player of the recording or film opens, as in the plan “tracks”.',
    'viewer.playing': 'The interactive title opens, as in the plan “interactive”.',
    'viewer.inApp': '“You can read and play this shop’s titles in its app”, where to get the app, and “Close”.',
    'viewer.notOwned':
      '“This title isn’t in your library” (“This title is no longer in your library” if it was open), with “Close”.',
    'viewer.notFound': '“There’s nothing to read here” (“This title has been withdrawn” if it was open), with “Close”.',
    'viewer.failed': '“We couldn’t open this title”, the reason, “Try again” and “Close”.',
  },
  inner: { 'viewer.reading': 'book', 'viewer.listening': 'tracks', 'viewer.playing': 'interactive' },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'close.pressed': 'Press “Close”',
    'buy.pressed': 'In the bar of the sample press “Buy”, or at its end “Buy the full title”',
  },
  happens: {
    'xstate.done.actor.book': playerClosedText,
    'xstate.done.actor.tracks': playerClosedText,
    'xstate.done.actor.interactive': playerClosedText,
    'page.hidden': windowHiddenText,
    'title.refused': 'The customer has lost the title while it is open',
    'connection.returned': 'The device is online again',
  },
  asks: { openTitle: 'the title with its items and the customer’s last position' },
  effects: {
    goBack: 'My Library opens, or the title’s page after a sample.',
    goPurchase: 'The summary of the purchase opens.',
    sendToBook: keptPlaceText,
    sendToTracks: keptPlaceText,
    sendToInteractive: keptPlaceText,
    saveBook: keptPlaceText,
    saveTracks: keptPlaceText,
    saveInteractive: keptPlaceText,
  },
} satisfies Description<typeof viewerMachine>;

export const bookDescription = {
  title: 'Reading a book or a PDF',
  about: 'The reader inside the viewer. The page, the panel, the enlarged view, the bars and the look each have their own state.',
  states: {
    'book.reading.page.opening': 'A wait: “Opening the book…”.',
    'book.reading.page.open': 'A page of the book.',
    'book.reading.page.ended': '“The end” (“That’s the end of the sample”) over the last page.',
    'book.reading.panel.closed': 'No panel beside the page.',
    'book.reading.panel.contents': 'The panel “Contents”.',
    'book.reading.panel.settings': 'The panel “Reading settings”.',
    'book.reading.enlarging.none': 'Tables and pictures within the page.',
    'book.reading.enlarging.enlarged': 'The table or picture over the page, with “Close the enlarged view”.',
    'book.reading.controls.shown': 'The bars above and below.',
    'book.reading.controls.hidden': 'No bars: the page alone.',
    'book.reading.look.kept': 'Text and paper as last chosen.',
    'book.reading.look.changed': 'Text and paper as just chosen; the app is storing the choice.',
    'book.failed': '“We couldn’t show this title”, the reason, “Try again” and “Close”.',
    'book.closing': closingText,
    'book.closed': closedText,
  },
  presses: {
    'turn.pressed': 'Press “Next page”',
    'book.linkPressed': 'Press a link within the book',
    'contents.pressed': 'Press “Contents”',
    'settings.pressed': 'Press “Reading settings”',
    'panel.closed': 'Press Escape, or “Close” on the panel',
    'entry.chosen': 'Choose a chapter in the contents',
    'fraction.chosen': 'Move the slider “Position in the book” and let it go',
    'look.chosen': 'Press “Larger”, or choose another paper',
    'retry.pressed': 'Press “Try again”',
    'close.pressed': 'Press “Close the book”',
    'book.turnRequested': 'Press the right edge of the page, or an arrow key on it',
    'book.controlsRequested': 'Press the middle of the page',
    'book.enlargeRequested': 'Press a table that scrolls within the page',
    'book.reduceRequested': 'Press “Close the enlarged view”, or Escape',
  },
  happens: {
    'book.opened': 'The book has loaded',
    'book.moved': 'The book shows a page',
    'book.skipped': chapterMissingText,
    'place.changed': 'The customer reads at another position',
    'place.requested': 'Press “Back to where you were”, or “Go there”, or a position under “Where you left off before”',
    'book.ended': 'A turn goes past the last page',
    'book.failed': 'The book cannot be shown',
    'book.interrupted': 'The requested chapter fails to load',
    'book.continued': 'The chapter has loaded',
    ...interruptionEventTexts,
    'book.expired': 'The URL of the book has expired: the server refuses the next chapter',
    ...renewalTexts,
    'page.hidden': windowHiddenText,
    'xstate.done.actor.progress': savedText,
    'xstate.done.actor.saveLook': 'The look has been saved',
    'xstate.error.actor.saveLook': 'The look could not be saved',
  },
  effects: {
    turn: 'The page turns.',
    showEntry: 'The chapter’s first page is shown.',
    showPlace: 'The page at the requested position is shown.',
    enlarge: 'The table or picture is over the page.',
    reduce: 'The page is shown without the enlarged view.',
    sendToNotices: 'The foot of the page changes as in the plan “notices”.',
    showFraction: 'The page at that position is shown.',
    showLook: 'Text or paper change, and the reading position stays.',
    savePosition: 'The bar below shows the position in the book.',
    sendToProgress: keptPlaceText,
    requestRenewal: renewalCallText,
    keepAddress: restartText,
    showRenewed: continuesText,
    reportInterrupted: messageText,
    reportNotRenewed: messageText,
    reportContinued: messageGoneText,
    continue: retryText,
    reportRefused: lostTitleText,
  },
} satisfies Description<typeof bookMachine>;

export const tracksDescription = {
  title: 'Listening and watching',
  about: 'The player inside the viewer, for audio books and films.',
  states: {
    'tracks.attached.opening': 'A wait: “Opening…”.',
    'tracks.attached.paused': 'Silence; the big button says “Play”.',
    'tracks.attached.playing': 'The recording plays; the big button says “Pause”.',
    'tracks.attached.waiting': '“Waiting for the network…”; the big button says “Pause”.',
    'tracks.attached.blocked': '“Press Play to start.”',
    'tracks.attached.ended': '“The end”, with “Back to My Library” or “Buy the full title”.',
    'tracks.attached.leaving': 'A wait that ends at once.',
    'tracks.failed': '“We couldn’t show this title”, the reason, “Try again” and “Close”.',
    'tracks.closing': closingText,
    'tracks.closed': closedText,
  },
  presses: {
    'play.pressed': 'Press “Play”',
    'pause.pressed': 'Press “Pause”',
    'skip.pressed': 'Press “Forward 30 seconds”',
    'seek.chosen': 'Move the slider “Playback position” and let it go',
    'item.chosen': 'Choose a part in “Parts”, or a chapter in “Chapters”',
    'rate.chosen': 'Choose another “Speed”',
    'volume.chosen': 'Move the slider “Volume” and let it go',
    'mute.pressed': 'Press “Mute”',
    'captions.chosen': 'In a film press “Captions”, or choose another “Language of the captions”',
    'fullScreen.pressed': 'In a film press “Full screen”',
    'retry.pressed': 'Press “Try again”',
    'close.pressed': 'Press “Close the player”',
  },
  happens: {
    'place.requested': 'Press “Go there”, or a position under “Where you left off before”',
    'tracks.ready': 'The recording has loaded',
    'tracks.playing': 'The recording begins to play',
    'tracks.paused': 'The recording stops',
    'tracks.waiting': 'The network is too slow for the recording',
    'tracks.blocked': 'The browser forbids sound before a press',
    'tracks.itemChanged': 'The next part begins',
    'tracks.positionReported': 'The player reports its position to the second',
    'tracks.fullScreenChanged': 'The film enters or leaves full screen',
    'position.passed': 'Five seconds have been played',
    'tracks.ended': 'The last part ends',
    'tracks.failed': 'The recording cannot be played',
    'tracks.interrupted': 'The requested part fails to load',
    'tracks.continued': 'The part has loaded',
    ...interruptionEventTexts,
    'tracks.expired': 'The URL of the recording has expired',
    ...renewalTexts,
    'page.hidden': windowHiddenText,
    'xstate.done.actor.progress': savedText,
  },
  effects: {
    play: 'The recording begins to play.',
    pause: 'The recording stops.',
    skip: 'The clock jumps by 30 seconds.',
    seek: 'The clock jumps to that position.',
    seekItem: 'A chosen part begins at 0:00, a chapter or a requested position at its own time; the part is marked in the list.',
    keepItem: 'The name of the part is shown, and it is marked in the list.',
    keepFullScreen: 'The button says how to leave the full screen.',
    changePlayback: 'The recording plays as chosen: faster, louder, with captions or without.',
    rememberPlayback: 'Open another recording later: it plays with the same settings.',
    changeFullScreen: 'The film enters or leaves full screen.',
    requestPosition: keptPlaceText,
    saveNow: keptPlaceText,
    savePosition: keptPlaceText,
    sendToProgress: keptPlaceText,
    requestRenewal: renewalCallText,
    keepAddresses: restartText,
    useRenewed: continuesText,
    reportInterrupted: messageText,
    reportNotRenewed: messageText,
    reportContinued: messageGoneText,
    continue: retryText,
    reportRefused: lostTitleText,
  },
} satisfies Description<typeof tracksMachine>;

export const interactiveDescription = {
  title: 'Playing an interactive title',
  about: 'The player inside the viewer; the title runs in a sandboxed iframe.',
  states: {
    'interactive.running.opening': 'A wait: “Setting the scene…”.',
    'interactive.running.open': 'A scene of the title.',
    'interactive.running.ended': '“The end” below the last scene, with the way back.',
    'interactive.failed': '“We couldn’t show this title”, the reason, “Try again” and “Close”.',
    'interactive.closing': closingText,
    'interactive.closed': closedText,
  },
  presses: { 'retry.pressed': 'Press “Try again”', 'close.pressed': 'Press “Close”' },
  happens: {
    'place.requested': 'Press “Go there”, or a position under “Where you left off before”',
    'interactive.ready': 'The title has loaded',
    'interactive.moved': 'A choice leads to another scene',
    'interactive.ended': 'The last scene is reached',
    'interactive.failed': 'The title cannot be shown',
    'interactive.expired': 'The URL of the title has expired',
    ...renewalTexts,
    'page.hidden': windowHiddenText,
    'xstate.done.actor.progress': savedText,
  },
  effects: {
    savePosition: keptPlaceText,
    sendToProgress: keptPlaceText,
    requestRenewal: renewalCallText,
    keepAddress: restartText,
    useRenewed: continuesText,
    reportRefused: lostTitleText,
  },
} satisfies Description<typeof interactiveMachine>;

export const progressDescription = {
  title: 'Saving the position',
  about:
    'Watch the calls for progress in the browser’s network panel while a title is open. Only a message at the foot of the page is visible, which offers another position.',
  states: {
    'progress.saved': 'No call in progress: the server has the last position.',
    'progress.moved': 'No call yet: the position has changed and is saved soon.',
    'progress.saving': 'One call saves the position.',
    'progress.unsaved':
      'No call in progress: the last one failed; the next one follows within a minute, with the next move, when the connection returns, or when the viewer is closed.',
    'progress.delayed':
      'No call in progress: the server accepts no more positions for now, and the viewer sends the latest after the Retry-After.',
    'progress.conflict': 'No call in progress: a message shows the position on another device, with “Go there” and “Stay here”.',
    'progress.closing': 'The viewer waits for the call that saves the last position.',
    'progress.closed': 'The viewer has closed.',
  },
  presses: {
    close: 'Close the viewer',
    'place.accepted': 'Press “Go there”',
    'place.dismissed': 'Press “Stay here”',
    'earlier.chosen': 'Press a position under “Where you left off before”, in the contents or the list of parts',
  },
  happens: {
    'position.moved': 'The customer turns a page or plays on',
    'page.hidden': windowHiddenText,
    'connection.returned': 'The device is online again',
  },
  asks: {
    saveProgress: 'the confirmation that the position is saved',
    saveLast: 'the confirmation that the last position is saved',
  },
  effects: {
    keepPosition: 'The next call after the wait saves the latest position.',
    goToNewer: 'The position of the other device is shown.',
    goToOffered: 'The offered position is shown.',
    goToEarlier: 'The chosen position is shown.',
    dropOffered: 'The message closes.',
  },
} satisfies Description<typeof progressMachine>;

export const addressesDescription = {
  title: 'Renewing the URLs of an open title',
  about: 'Has no screen: watch the calls of the viewer in the browser’s network panel while a title is open.',
  states: {
    'addresses.fresh': 'No call in progress: the URLs are valid.',
    'addresses.renewing': 'A call requests new URLs, while the title continues.',
    'addresses.stale': 'No call in progress: the last one failed; the next one follows in a minute.',
    'addresses.awaited': 'A call requests new URLs, and the title waits for them.',
    'addresses.refused': 'The viewer shows why the title can no longer be read.',
  },
  presses: {},
  happens: { 'addresses.expired': 'The server no longer accepts a URL' },
  asks: { renewAddresses: 'new URLs of the title', renewNow: 'new URLs of the title, at once' },
  effects: {
    reportRenewed: 'The title continues at its position.',
    reportRefused: 'The viewer shows why the title can no longer be read.',
    reportFailed: '“We couldn’t show this title”, the reason, “Try again” and “Close”.',
  },
} satisfies Description<typeof addressesMachine>;

export const noticesDescription = {
  title: 'The foot of a book’s page',
  about: 'The way back from a followed link, and a message about a skipped chapter; at the foot of the page, over the lower bar.',
  states: {
    'notices.wayBack.none': 'No way back is offered.',
    'notices.wayBack.looking': '“Back to where you were” on the page that a link has led to.',
    'notices.wayBack.reading': '“Back to where you were”, while the customer reads on there.',
    'notices.skipped.none': 'No message.',
    'notices.skipped.shown': '“A chapter was skipped.”, and the reason.',
  },
  presses: {
    'back.pressed': 'Press “Back to where you were”',
    'back.dismissed': 'Press “Stay here”, beside “Back to where you were”',
    'skipped.dismissed': 'Press “Close this message”',
    'book.linkPressed': 'Press a link within the book',
    'turn.pressed': 'Press “Next page” or “Previous page”',
    'book.turnRequested': 'Press the right or the left edge of the page',
    'entry.chosen': 'Choose a chapter in the contents',
    'fraction.chosen': 'Move the slider “Position in the book” and let it go',
  },
  happens: { 'book.moved': 'The book shows a page', 'book.skipped': chapterMissingText },
  effects: {
    tellRead: keptPlaceText,
    readHere: keptPlaceText,
    keepPlace: 'The way back keeps its target.',
    askBack: 'The page of the link is shown.',
  },
} satisfies Description<typeof noticesMachine>;
