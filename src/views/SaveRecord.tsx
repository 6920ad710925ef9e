import { Trans } from '@lingui/react/macro';
import { createContext, use, type ReactElement } from 'react';
import { Button } from '../ui/Button.tsx';

/** Hands the customer what the shop recorded of this visit, as a file. */
export const SaveRecordContext = createContext<() => void>(() => {});

/** For the shop's support: what was done and shown, with no names, addresses or passwords in it. */
export const SaveRecord = (): ReactElement => (
  <Button look="outline" data-event="record.saved" onClick={use(SaveRecordContext)}>
    <Trans>Save a record of this visit</Trans>
  </Button>
);
