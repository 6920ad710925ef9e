import type { ComponentProps, ReactElement } from 'react';
import { Button } from './Button.tsx';
import { Spinner } from './Loading.tsx';

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** The event that submitting the form causes. */
  event: string;
  /** Whether the form is being submitted. */
  busy: boolean;
  /** The button's text while the form is being submitted. */
  busyText: string;
};

/**
 * The button that submits its form, and shows the progress until the response. It keeps the focus
 * during that time, which a disabled button would lose: the form ignores a second press.
 */
export const SubmitButton = ({ event, busy, busyText, children, ...button }: SubmitButtonProps): ReactElement => (
  <Button type="submit" data-event={event} aria-disabled={busy || undefined} {...button}>
    {busy ? <Spinner aria-hidden /> : null}
    {busy ? busyText : children}
  </Button>
);
