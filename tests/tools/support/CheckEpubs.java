import com.adobe.epubcheck.tool.EpubChecker;

/**
 * Checks EPUBs in one process, since starting Java takes longer than checking a book; prints
 * `sound` or `faulty` with the path of each, and its faults.
 */
public class CheckEpubs {
  public static void main(String[] files) {
    for (String file : files) {
      int faults = new EpubChecker().run(new String[] {file, "--quiet", "--failonwarnings"});
      System.out.println((faults == 0 ? "sound " : "faulty ") + file);
    }
  }
}
