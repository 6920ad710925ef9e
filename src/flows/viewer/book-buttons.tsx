import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import type { BookPanel } from './book-parts.ts';
import { IconButton } from './IconButton.tsx';

type Actor = ActorRefFrom<typeof bookMachine>;

export const CloseBook = ({ actor }: { actor: Actor }): ReactElement => {
  const { t } = useLingui();
  return (
    <IconButton
      icon="close"
      label={t`Close the book`}
      event="close.pressed"
      onClick={() => actor.send({ type: 'close.pressed' })}
    />
  );
};

/** Open the panels at the book's side. */
export const OpenPanels = ({ actor, panel }: { actor: Actor; panel: BookPanel }): ReactElement => {
  const { t } = useLingui();
  // Veiled while a panel is open, but there for the focus that comes back from it.
  const canOpen = useSelector(actor, (state) => state.matches('reading'));
  return (
    <>
      <IconButton
        icon="contents"
        label={t`Contents`}
        event="contents.pressed"
        aria-expanded={panel === 'contents'}
        disabled={!canOpen}
        onClick={() => actor.send({ type: 'contents.pressed' })}
      />
      <IconButton
        icon="settings"
        label={t`Reading settings`}
        event="settings.pressed"
        aria-expanded={panel === 'settings'}
        disabled={!canOpen}
        onClick={() => actor.send({ type: 'settings.pressed' })}
      />
    </>
  );
};
