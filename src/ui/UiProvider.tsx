import { ChakraProvider } from '@chakra-ui/react/styled-system';
import type { ReactElement, ReactNode } from 'react';
import { system } from './theme.ts';

/** Gives every piece below its tokens. */
export const UiProvider = ({ children }: { children: ReactNode }): ReactElement => (
  <ChakraProvider value={system}>{children}</ChakraProvider>
);
