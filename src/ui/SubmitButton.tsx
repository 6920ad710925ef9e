import type { ComponentProps, ReactElement } from 'react';
import { Button } from './Button.tsx';
import { Spinner } from './Loading.tsx';

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** The event that submitting the form causes. */
  event: string;
  /** Whether the form is being submitted. */
  busy: boolean;
  /** The button's text during that time. */
  waits: string;
};

/**
 * Submits its form, and shows that until there is an answer. It keeps the focus during that time,
 * which a disabled button would lose: the form ignores a second press.
 */
export const SubmitButton = ({ event, busy, waits, children, ...button }: SubmitButtonProps): ReactElement => (
  <Button type="submit" data-event={event} aria-disabled={busy || undefined} {...button}>
    {busy ? <Spinner aria-hidden /> : null}
    {busy ? waits : children}
  </Button>
);
