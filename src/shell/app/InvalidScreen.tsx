import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { Message } from '../../ui/Message.tsx';
import { OuterLink } from '../../ui/TextLink.tsx';
import { useApp } from '../../views/app-actor.ts';

/** Shown at an address without a shop. */
export const InvalidScreen = (): ReactElement => {
  const email = useApp(({ supportEmail }) => supportEmail);
  return (
    <main>
      <Message level={1} heading={<Trans>Oops! You seem to be lost</Trans>}>
        <p>
          <Trans>We don’t recognise this shop or this address. Please check it for typos.</Trans>
        </p>
        {email === '' ? null : (
          <p>
            <Trans>
              Still stuck? Write to us at <OuterLink href={`mailto:${email}`}>{email}</OuterLink>
            </Trans>
          </p>
        )}
      </Message>
    </main>
  );
};
