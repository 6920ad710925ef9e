import { addresses, type Address } from './addresses.ts';

/** Replaces ids in the table of addresses by those of the demo store. */
const demoReplacements: [RegExp, string][] = [
  [/\/id:book/, '/id:1001'],
  [/titleid=book/, 'titleid=1001'],
  [/9780306406157/, '9798647926913'],
  [/^\/all\/(.*)\bnovels$/, '/all/$1fiction-novels'],
  [/tag-novels/, 'fiction-novels'],
  [/printed/, 'spring-catalogue'],
  [/summer/, 'winter-evenings'],
  [/%C3%89clair-of-Winter/, 'Four-Walks-Before-Breakfast'],
  [/\/audio\/x\/sound/, '/audio/x/1020'],
  [/public\/about/, 'public/reading-circle'],
  [/private\/members/, 'private/customers-notes'],
];

/**
 * Every address of the specification, in the demo store, except the invalid store's page, which is
 * tested separately.
 */
export const demoAddresses: readonly Address[] = addresses
  .filter(({ flow }) => flow !== 'invalid')
  .map((address) => ({
    ...address,
    path: demoReplacements.reduce((path, [pattern, replacement]) => path.replace(pattern, replacement), address.path),
  }));
