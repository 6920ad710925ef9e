import type { ComponentProps, ReactElement } from 'react';
import { Button } from './Button.tsx';
import { Spinner } from './Loading.tsx';

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** The event that sending the form causes. */
  event: string;
  /** Whether the form is on its way. */
  busy: boolean;
  /** What the button says meanwhile. */
  waits: string;
};

/**
 * Sends its form, and says so until there is an answer. It keeps the focus meanwhile, which a disabled button would lose: the
 * form ignores a second press.
 */
export const SubmitButton = ({ event, busy, waits, children, ...button }: SubmitButtonProps): ReactElement => (
  <Button type="submit" data-event={event} aria-disabled={busy || undefined} {...button}>
    {busy ? <Spinner aria-hidden /> : null}
    {busy ? waits : children}
  </Button>
);
