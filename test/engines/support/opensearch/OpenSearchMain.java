import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * One OpenSearch node from jars alone, on 127.0.0.1. Prints READY when it answers.
 *
 * <pre>java -Dport=9200 -DtransportPort=9300 -Ddata=FOLDER -cp 'JARS/*' OpenSearchMain.java</pre>
 */
public class OpenSearchMain extends OpenSearchRunner { // MODULE_TYPES is open to subclasses only
  public static void main(String[] args) {
    int port = Integer.getInteger("port");
    int transportPort = Integer.getInteger("transportPort");
    Set<String> modules = new LinkedHashSet<>(List.of(MODULE_TYPES));
    OpenSearchMain node = new OpenSearchMain();
    node.setMaxHttpPort(-1); // the runner refuses ports above 9299 otherwise
    node.onBuild((number, settings) -> {
      settings.put("network.host", "127.0.0.1");
      settings.put("http.port", port);
      settings.put("transport.port", transportPort);
      settings.put("discovery.type", "single-node");
      settings.putList("node.roles", "cluster_manager", "data", "ingest");
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    node.build(newConfigs()
        .basePath(System.getProperty("data"))
        .clusterName("sluice-tests")
        .numOfNode(1)
        .baseHttpPort(port - 1) // node n listens on base + n
        .moduleTypes(String.join(",", modules)));
    node.ensureYellow();
    System.out.println("READY " + port);
    try {
      Thread.currentThread().join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(OpenSearchMain node) {
    try {
      node.close();
    } catch (Exception problem) {
      System.err.println("close: " + problem);
    }
  }
}
