import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';

/** `onChoose` also gives the focus to the page. */
export type PanelProps = {
  actor: ActorRefFrom<typeof bookMachine>;
  onClose: () => void;
  onChoose: (href: string) => void;
};
