import type { ReactElement, ReactNode } from 'react';
import { Notice } from '../../ui/Notice.tsx';

const takeFocus = (notice: HTMLElement | null): void => notice?.focus();

/** Confirms a change. It takes the focus: the pressed button may be gone. */
export const Done = ({ children }: { children: ReactNode }): ReactElement => (
  <Notice tone="success" tabIndex={-1} ref={takeFocus} mb={3}>
    {children}
  </Notice>
);
