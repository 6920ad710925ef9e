import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';

/** `onClose` and `onChoose` also give the focus back to the page. */
export type PanelProps = {
  actor: ActorRefFrom<typeof bookMachine>;
  onClose: () => void;
  onChoose: (href: string) => void;
};
