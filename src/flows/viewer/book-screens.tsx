import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import type { BookScreen } from './book-parts.ts';
import { EndMessage, FailedMessage } from './messages.tsx';
import type { Offer } from './offer.ts';
import { StageWait } from './StageMessage.tsx';

type Props = { actor: ActorRefFrom<typeof bookMachine>; offer: Offer };

const Opening = (): ReactElement => (
  <StageWait>
    <Trans>Opening the book…</Trans>
  </StageWait>
);
const Closing = (): ReactElement => (
  <StageWait>
    <Trans>Keeping your place…</Trans>
  </StageWait>
);
const Open = (): null => null;

/** What lies over the page in each state of the book. */
export const bookScreens: Record<BookScreen, (props: Props) => ReactElement | null> = {
  opening: Opening,
  open: Open,
  ended: EndMessage,
  failed: FailedMessage,
  closing: Closing,
  closed: Closing,
};
