import { Trans } from '@lingui/react/macro';
import { createContext, use, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';

/** Downloads the recorded trace of this visit as a file. */
export const SaveRecordContext = createContext<() => void>(() => {});

export const saveRecordText = <Trans>Save a record of this visit</Trans>;

/**
 * The button that downloads a record for the shop's support after a failure: actions and screens,
 * without names, addresses or passwords.
 */
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
