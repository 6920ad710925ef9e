import { Trans } from '@lingui/react/macro';
import { createContext, use, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';

/** Hands the customer what the shop recorded of this visit, as a file. */
export const SaveRecordContext = createContext<() => void>(() => {});

export const saveRecordText = <Trans>Save a record of this visit</Trans>;

/** For the shop's support, where something failed: what was done and shown, with no names, addresses or passwords in it. */
export const SaveRecord = (): ReactElement => (
  <chakra.button
    type="button"
    data-event="record.saved"
    onClick={use(SaveRecordContext)}
    minHeight={6}
    color="inherit"
    fontSize="sm"
    textDecoration="underline"
    cursor="pointer"
  >
    {saveRecordText}
  </chakra.button>
);
