import { Argument, Command, CommanderError, Help, type OptionValues, type ParseOptionsResult } from 'commander';
import { UsageError } from '../process/command-line.ts';
import { commands, commonOptions, dryRun, type StoreCommandSpec } from './commands.ts';

/** The options of an import besides its folder: file names, and terms for all titles. */
export type ImportOptions = {
  folder: string;
  price: string | undefined;
  prices: string | undefined;
  onix: string | undefined;
  categories: string[];
  bySubject: boolean;
};

/** A parsed command, in the form that the shop's operations take. */
export type StoreCommand = {
  name: string;
  input: Record<string, unknown>;
  json: boolean;
  shop: string | undefined;
  out: string | undefined;
  /** a JSON file with properties */
  file: string | undefined;
  imports: ImportOptions | undefined;
};

/** A property's value: JSON, else the text itself; null for an empty text, which resets it. */
function parsePropertyValue(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Parses pairs of NAME=VALUE. @throws UsageError for a pair without a value */
function parseProperties(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const separator = pair.indexOf('=');
      if (separator < 1) throw new UsageError(`--set ${pair}: expected NAME=VALUE`);
      return [pair.slice(0, separator), parsePropertyValue(pair.slice(separator + 1))];
    }),
  );
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const toList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Maps a command to its operation. @throws UsageError if properties are missing or malformed */
function toStoreCommand(
  { name }: StoreCommandSpec,
  folder: string,
  options: OptionValues,
  commonValues: OptionValues,
): StoreCommand {
  const { file, ...values } = options;
  const input: Record<string, unknown> = {
    ...values,
    ...(commonValues['store'] === undefined ? {} : { store: commonValues['store'] }),
  };
  const command = {
    name,
    input,
    json: commonValues['json'] === true,
    shop: toText(commonValues['shop']),
    out: toText(commonValues['out']),
    file: toText(file),
    imports: undefined,
  };
  if (name === 'clock')
    return { ...command, name: options['forward'] === undefined && options['to'] === undefined ? 'clock show' : 'clock move' };
  if (name === 'properties set') {
    if (options['set'] === undefined && file === undefined) throw new UsageError(`${name} needs --set or --file.`);
    const { set, ...otherInput } = input;
    return { ...command, input: { ...otherInput, properties: parseProperties(toList(set)) } };
  }
  if (name !== 'import') return command;
  const { price, prices, onix, category, categoriesFromSubjects, ...otherInput } = input;
  const imports = {
    folder,
    price: toText(price),
    prices: toText(prices),
    onix: toText(onix),
    categories: toList(category),
    bySubject: categoriesFromSubjects === true,
  };
  return { ...command, input: otherInput, imports };
}

/** A command that does not take an option for the value of another one. */
class StrictCommand extends Command {
  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    for (const [index, arg] of args.entries()) {
      const option = this.options.find(({ long }) => long === arg);
      const value = args[index + 1] ?? '';
      if (option?.required && value.startsWith('-'))
        this.error(`option '${option.flags}' has no value; write a value that begins with a dash as ${arg}=${value}`);
    }
    return super.parseOptions(args);
  }
}

const isCommand = ({ commands: subcommands }: Command): boolean => subcommands.length === 0;

/** Lists the full commands in the root's help, not the groups before their verbs. */
class FlatHelp extends Help {
  override showGlobalOptions = true;

  override visibleCommands(command: Command): Command[] {
    return command.commands.flatMap((each) => (isCommand(each) ? [each] : each.commands));
  }

  override subcommandTerm(command: Command): string {
    const { parent, registeredArguments: operands } = command;
    const groupNames = parent?.parent ? [parent.name()] : [];
    return [...groupNames, command.name(), ...operands.map((word) => word.name())].join(' ');
  }
}

const formatHelp = (command: Command, { helpWidth = 80 }: Help): string => {
  const help = new FlatHelp();
  help.helpWidth = helpWidth;
  return help.formatHelp(command, help);
};

/**
 * Builds the commander program from the table of commands.
 * @param onCommand receives the parsed command
 * @param write receives the help
 */
function createProgram(onCommand: (command: StoreCommand) => void, write: (text: string) => void): Command {
  const program = new StrictCommand('npm run store --');
  program
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({ formatHelp })
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nnpm run store -- codes make --help lists the options of a command, here of “codes make”.\n' +
        'A running shop is called with its ADMIN_TOKEN, from the environment.\n' +
        'Exit codes: 0 success, 1 the command failed, 2 invalid arguments.',
    );
  for (const option of commonOptions) program.addOption(option);
  for (const spec of commands) {
    const [noun = '', verb] = spec.name.split(' ');
    const group = verb === undefined ? program : (program.commands.find((each) => each.name() === noun) ?? program.command(noun));
    const command = group.command(verb ?? noun).description(spec.summary);
    const options = [...(spec.options ?? []), ...(spec.isMutating ? [dryRun] : [])];
    const requiredFlags = options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    if (spec.argument) command.addArgument(new Argument(...spec.argument));
    for (const option of options) command.addOption(option);
    command.usage([...(spec.argument ? [spec.argument[0]] : []), ...requiredFlags, '[options]'].join(' '));
    if (spec.extraHelp) command.addHelpText('after', `\n${spec.extraHelp}`);
    command.action(() => onCommand(toStoreCommand(spec, command.args[0] ?? '', command.opts(), program.opts())));
  }
  return program;
}

/**
 * Describes an error of commander for the operator.
 * @param help the help of the group, for a group without a verb
 */
function describeError({ code, message }: CommanderError, args: readonly string[], help: string): string {
  if (code === 'commander.help') return help;
  const text = message.replace(/^error: /, '');
  if (code === 'commander.unknownCommand') return `${text}\nCommands: ${commands.map(({ name }) => name).join(', ')}.`;
  const command = commands.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));
  return command === undefined ? text : `${command.name}: ${text}`;
}

/**
 * Parses the command line.
 * @returns the help if it was requested
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): StoreCommand | { help: string } {
  let [command, help]: [StoreCommand | undefined, string] = [undefined, ''];
  const program = createProgram(
    (parsedCommand) => {
      command = parsedCommand;
    },
    (text) => {
      help += text;
    },
  );
  try {
    program.parse(args.length === 0 || args[0] === 'help' ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(describeError(error, args, help));
  }
  return command ?? { help };
}
